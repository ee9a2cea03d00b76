import { useEffect, useMemo, useState } from 'preact/hooks';
import { DurationChart } from './chart.jsx';
import { duration, plural } from './format.js';
import { Scenario } from './scenario.jsx';

const kVerdicts = ['failed', 'errored', 'inconclusive', 'passed', 'skipped'];
const kSymbols = {
  passed: '\u2713',
  failed: '\u2717',
  errored: '!',
  inconclusive: '?',
  skipped: '\u2013',
};

export function Verdict({ of: verdict }) {
  return (
    <span class={`verdict ${verdict}`}>
      <span aria-hidden="true">{kSymbols[verdict]}</span> {verdict}
    </span>
  );
}

function Filters({ report, shown, setShown, words, setWords }) {
  const toggle = (verdict) => {
    const next = new Set(shown);
    if (!next.delete(verdict)) next.add(verdict);
    setShown(next);
  };
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend class="hidden">Verdicts to show</legend>
        {kVerdicts
          .filter((verdict) => report.summary[verdict] > 0)
          .map((verdict) => (
            <button
              type="button"
              class={`chip ${verdict}`}
              aria-pressed={shown.has(verdict)}
              onClick={() => toggle(verdict)}
            >
              {report.summary[verdict]} {verdict}
            </button>
          ))}
      </fieldset>
      <label class="find">
        <span class="hidden">Find by name, file or case</span>
        <input
          type="search"
          placeholder="Find by name, file or case"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
    </form>
  );
}

/** Up and down arrows walk a list of buttons, as people expect of one. */
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

export function App({ report }) {
  const [shown, setShown] = useState(new Set(kVerdicts));
  const [words, setWords] = useState('');
  const worst = report.scenarios.findIndex((each) => each.verdict !== 'passed');
  const [chosen, setChosen] = useState(Math.max(worst, 0));
  useEffect(() => {
    document.title = `${report.passed ? 'Passed' : 'Not passed'}: Squall report`;
  }, []);
  const listed = useMemo(() => {
    const wanted = words.trim().toLowerCase();
    return report.scenarios
      .map((scenario, index) => ({ scenario, index }))
      .filter(
        ({ scenario }) =>
          shown.has(scenario.verdict) &&
          [scenario.name, scenario.file, scenario.case].some((text) =>
            text.toLowerCase().includes(wanted),
          ),
      );
  }, [shown, words]);
  const scenario = report.scenarios[chosen];
  return (
    <>
      <header>
        <h1>
          <span class="mark" aria-hidden="true" />
          Squall report
        </h1>
        <p class="about">{[report.tool, report.started].filter(Boolean).join(' \u00b7 ')}</p>
        <p class={`sum ${report.passed ? 'passed' : 'failed'}`}>
          <strong>{report.passed ? 'Passed' : 'Not passed'}</strong>{' '}
          {plural(report.scenarios.length, 'scenario')} in {duration(report.summary.durationMs)}
        </p>
      </header>
      <div class="columns">
        <nav aria-label="Scenarios">
          <Filters {...{ report, shown, setShown, words, setWords }} />
          <DurationChart scenarios={report.scenarios} />
          <ol class="scenarios" onKeyDown={walk}>
            {listed.map(({ scenario: each, index }) => (
              <li key={index}>
                <button
                  type="button"
                  aria-current={index === chosen ? 'true' : undefined}
                  onClick={() => setChosen(index)}
                >
                  <span class="name">{each.name}</span>
                  <Verdict of={each.verdict} />
                  <span class="took">{duration(each.durationMs)}</span>
                </button>
              </li>
            ))}
          </ol>
          <p class="none" role="status">
            {listed.length === 0 ? 'No scenario matches.' : ''}
          </p>
        </nav>
        <main>
          {scenario ? <Scenario key={chosen} scenario={scenario} /> : <p>Nothing was run.</p>}
        </main>
      </div>
    </>
  );
}
