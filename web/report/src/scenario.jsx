import { useEffect, useState } from 'preact/hooks';
import { Verdict } from './app.jsx';
import { bytes, duration } from './format.js';
import { inflate, pretty, rowsOf } from './timeline.js';

function Expectations({ of: expectations, caption }) {
  if (expectations.length === 0) return null;
  return (
    <table class="expectations">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Expected</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      <tbody>
        {expectations.map((each) => (
          <tr class={each.held ? 'held' : 'broken'}>
            <th scope="row">
              <span aria-hidden="true">{each.held ? '\u2713' : '\u2717'}</span>
              <span class="hidden">{each.held ? 'held' : 'failed'}</span> {each.name}
            </th>
            <td>
              <code>{each.expected}</code>
            </td>
            <td>
              <code>{each.received}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Steps({ steps }) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="steps">
      <h3 id="steps">Steps</h3>
      <ol class="steps">
        {steps.map((step) => (
          <li>
            <p>
              <Verdict of={step.verdict} /> <span class="name">{step.name}</span>
              <span class="faint">
                {' '}
                {step.outcome} {'\u00b7'} {duration(step.durationMs)}
              </span>
            </p>
            {step.why && <p class="why">{step.why}</p>}
            <Expectations of={step.expectations} caption={`Expectations of ${step.name}`} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Strike({ of: rule }) {
  return (
    <p class="strike">
      <strong>{rule.kind || rule.rule}</strong> struck by rule <code>{rule.rule}</code>
      {rule.draw && (
        <>
          {' '}
          {'\u00b7'} draw <code>{rule.draw}</code> below <code>{rule.threshold}</code>
        </>
      )}
      {rule.parameters && (
        <>
          {' '}
          {'\u00b7'} <code>{JSON.stringify(rule.parameters)}</code>
        </>
      )}
    </p>
  );
}

const kDeliveries = {
  unchanged: 'as it came',
  changed: 'changed',
  lost: 'never delivered',
  made_up: 'made up',
};

function Delivered({ row }) {
  return row.delivered.map((each) => (
    <div class="against">
      <figure>
        <figcaption>Sent</figcaption>
        <pre tabIndex={0} aria-label="What was sent">
          {row.madeUp ? '(nothing)' : pretty(row.text)}
        </pre>
      </figure>
      <figure>
        <figcaption>
          {row.from === 'server' ? 'What the client saw' : 'What the server saw'}:{' '}
          {kDeliveries[each.delivery]}
          {each.how && `, ${each.how}`}
          {each.drawn > 0 && `, ${duration(each.drawn)} late`}
        </figcaption>
        <pre tabIndex={0} aria-label="What arrived">
          {each.delivery === 'lost' ? '(nothing)' : pretty(each.text ?? row.text)}
        </pre>
      </figure>
    </div>
  ));
}

function Row({ row }) {
  const [open, setOpen] = useState(false);
  const at = <span class="at">{duration(row.at)}</span>;
  if (row.kind === 'step') {
    return (
      <li class="note step">
        {at}
        <span>
          <Verdict of={row.detail} /> {row.title}
        </span>
      </li>
    );
  }
  if (row.kind !== 'message') {
    return (
      <li class={`note ${row.kind} ${row.struck ? 'struck' : ''}`}>
        {at}
        <span>
          {row.title} <span class="faint">{row.detail}</span>
        </span>
      </li>
    );
  }
  const changed = row.delivered?.some((each) => each.delivery !== 'unchanged');
  const struck = row.strikes.length > 0 || changed;
  const lost = row.delivered?.some((each) => each.delivery === 'lost');
  const way = row.from === 'client' ? 'client to server' : 'server to client';
  return (
    <li class={`message ${row.from} ${struck ? 'struck' : ''} ${lost ? 'lost' : ''}`}>
      {at}
      <div class="wire">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="hidden">{way}: </span>
          <span class="title">{row.title}</span>
          {row.detail && <span class="detail">{row.detail}</span>}
          {row.status && <span class="tag">{row.status}</span>}
          {struck && (
            <span class="tag hit">
              {row.strikes.map((rule) => rule.kind || rule.rule).join(', ') ||
                (lost ? 'lost' : 'changed')}
            </span>
          )}
          {row.executed && (
            <span class="tag">
              {row.executed === 'yes'
                ? 'executed'
                : row.executed === 'no'
                  ? 'not executed'
                  : 'execution unknown'}
            </span>
          )}
          {row.redacted && <span class="tag">redacted</span>}
          <span class="size">{bytes(row.cut ?? new TextEncoder().encode(row.text).length)}</span>
        </button>
        <span class="arrow" aria-hidden="true" />
        {open && (
          <div class="unfolded">
            {row.strikes.map((rule) => (
              <Strike of={rule} />
            ))}
            {changed ? (
              <Delivered row={row} />
            ) : (
              <pre tabIndex={0} aria-label="Payload">
                {pretty(row.text)}
              </pre>
            )}
            {row.cut && (
              <p class="faint">The first 16 KiB of {bytes(row.cut)}; the case has all of it.</p>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

function Timeline({ packed }) {
  const [state, setState] = useState({ rows: null, trouble: '' });
  useEffect(() => {
    inflate(packed).then(
      (events) => setState({ rows: rowsOf(events), trouble: '' }),
      (error) => setState({ rows: [], trouble: String(error) }),
    );
  }, [packed]);
  if (state.trouble) return <p class="why">The timeline can't be read: {state.trouble}</p>;
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">On the wire</h3>
      <div class="parties" aria-hidden="true">
        <span>client</span>
        <span>server</span>
      </div>
      <ol class="timeline" aria-busy={state.rows === null}>
        {(state.rows ?? []).map((row) => (
          <Row row={row} />
        ))}
      </ol>
    </section>
  );
}

function Facts({ scenario }) {
  const facts = [
    ['File', scenario.file],
    ['Target', scenario.target],
    ['Protocol', scenario.protocol],
    ['Seed', scenario.seed],
    ['Case', scenario.case],
    ['Run hash', scenario.runHash.slice(0, 16)],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Scenario({ scenario }) {
  return (
    <article aria-labelledby="scenario">
      <h2 id="scenario">{scenario.name}</h2>
      <p>
        <Verdict of={scenario.verdict} />{' '}
        <span class="faint">
          {scenario.outcome} {'\u00b7'} {duration(scenario.durationMs)}
        </span>
      </p>
      {scenario.why && <p class="why">{scenario.why}</p>}
      <Facts scenario={scenario} />
      {scenario.repeat && (
        <p class="repeat">
          <span class="faint">Repeat it: </span>
          <code>{scenario.repeat}</code>
        </p>
      )}
      <Expectations of={scenario.expectations} caption="Expectations of the run" />
      <Steps steps={scenario.steps} />
      {scenario.timeline ? (
        <Timeline packed={scenario.timeline} />
      ) : (
        <p class="faint">Nothing was recorded; squall run --record DIR keeps the messages.</p>
      )}
    </article>
  );
}
