/** @file What a case's events come to: rows in the order of time, strikes beside what they hit. */

/** A timeline's events, from base64 of zlib data. */
export async function inflate(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

export function payloadText(payload) {
  if (!payload) return '';
  if (payload.base64 !== undefined)
    return atob(payload.base64).replace(/[^\x20-\x7e\n]/g, '\ufffd');
  return payload.text ?? '';
}

/** JSON indented for reading; other text as it is. Numbers keep their spelling where they can't. */
export function pretty(text) {
  try {
    const value = JSON.parse(text);
    const short = JSON.stringify(value);
    return short.length === text.length ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** What a message is, in a few words: its method, or what it answers. */
function label(text, methods, from) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return { title: 'not JSON', detail: '' };
  }
  if (message === null || typeof message !== 'object')
    return { title: 'not a message', detail: '' };
  if (typeof message.method === 'string') {
    const { name, uri } = message.params ?? {};
    if (message.id !== undefined) {
      methods.set(`${from} ${JSON.stringify(message.id)}`, message.method);
    }
    return { title: message.method, detail: String(name ?? uri ?? ''), id: message.id };
  }
  const asker = from === 'client' ? 'server' : 'client';
  const method = methods.get(`${asker} ${JSON.stringify(message.id)}`);
  const title = message.error ? `error ${message.error.code}` : 'result';
  const bad = message.error !== undefined || message.result?.isError === true;
  return { title, detail: method ?? '', id: message.id, bad };
}

/** Rows of {at, kind, from, title, detail, text, ...}; with `strikes` and `delivered`, if any. */
export function rowsOf(events) {
  const rows = [];
  const byArrival = new Map();
  const methods = new Map();
  for (const event of events) {
    const at = event.at / 1e6;
    if (event.event === 'message') {
      const from = event.from ?? 'client';
      const text = payloadText(event.payload);
      const row = {
        kind: 'message',
        at,
        from,
        text,
        cut: event.cut,
        redacted: event.payload?.redacted,
        status: event.http?.status,
        strikes: [],
        considered: [],
        ...label(text, methods, from),
      };
      rows.push(row);
      byArrival.set(event.in, row);
    } else if (event.event === 'decision') {
      const won = (event.rules ?? []).filter((rule) => (rule.standing ?? 'won') === 'won');
      const row = byArrival.get(event.in);
      if (row) {
        row.strikes.push(...won);
        row.considered.push(...(event.rules ?? []));
      } else if (won.length > 0) {
        rows.push({
          kind: 'note',
          at,
          title: 'struck',
          detail: won.map((rule) => rule.rule).join(', '),
          struck: true,
        });
      }
    } else if (event.event === 'upstream') {
      const row = byArrival.get(event.in);
      if (row) row.executed = event.executed ?? 'unknown';
    } else if (event.event === 'delivered') {
      deliver(rows, byArrival.get(event.in), event, at, methods);
    } else if (event.event !== 'verdict') {
      rows.push({ kind: 'note', at, ...note(event) });
    } else if (event.step) {
      rows.push({ kind: 'step', at, title: event.name, detail: event.judgement ?? 'passed' });
    }
  }
  return rows;
}

function deliver(rows, row, event, at, methods) {
  const delivery = event.delivery ?? 'unchanged';
  const delivered = {
    delivery,
    at,
    how: event.how,
    rule: event.rule,
    drawn: (event.drawn ?? 0) / 1e6,
    text: event.payload ? payloadText(event.payload) : null,
  };
  if (row) {
    row.delivered = [...(row.delivered ?? []), delivered];
    return;
  }
  if (!event.payload) {
    // Nothing went over the wire: a finding about the connection.
    rows.push({ kind: 'note', at, title: event.rule ?? delivery, detail: event.how ?? '' });
    return;
  }
  const from = (event.to ?? 'client') === 'client' ? 'server' : 'client';
  const text = delivered.text ?? '';
  rows.push({
    kind: 'message',
    at,
    from,
    text,
    strikes: [],
    considered: [],
    madeUp: true,
    delivered: [delivered],
    ...label(text, methods, from),
  });
}

function note(event) {
  switch (event.event) {
    case 'spawn':
      return { title: 'process started', detail: (event.command ?? []).join(' ') };
    case 'connect':
      return { title: `connected, ${event.transport ?? ''}`, detail: event.peer ?? '' };
    default: {
      const how = event.signal ?? (event.code === undefined ? '' : `code ${event.code}`);
      return { title: event.process ? 'process ended' : 'run ended', detail: event.why ?? how };
    }
  }
}
