// node compatibility.mjs SQUALL
//
// The official clients through every fault tool of `squall serve`, over each transport and in each
// revision where the tool exists; prints as JSON what each of them did about it.
// tools/compatibility makes a table of that.
import { setTimeout as wait } from 'node:timers/promises';

import { connect, serveHttp } from './clients.mjs';

const squall = process.argv[2];
const TIMEOUT_MS = 700;
const COLUMNS_AT_ONCE = 4;

/** Ways to reach the server; `offers` names the tools that not all of them have. */
const COLUMNS = [
  { name: 'v1 stdio', kind: 'v1', transport: 'stdio', offers: ['late'] },
  { name: 'v1 session', kind: 'v1', transport: 'http', offers: ['late', 'session'] },
  { name: 'v1 no session', kind: 'v1', transport: 'http',
    words: ['--legacy', 'stateless'], offers: [] },
  { name: 'v2 stdio', kind: 'v2-legacy', transport: 'stdio', offers: ['late'] },
  { name: 'v2 session', kind: 'v2-legacy', transport: 'http',
    offers: ['late', 'session'] },
  { name: 'v2 no session', kind: 'v2-legacy', transport: 'http',
    words: ['--legacy', 'stateless'], offers: [] },
  { name: 'v2 modern stdio', kind: 'v2-pinned', transport: 'stdio', offers: ['late'] },
  { name: 'v2 modern HTTP', kind: 'v2-pinned', transport: 'http', offers: [] },
];

const malformed = ['missing-jsonrpc', 'invalid-jsonrpc-version', 'result-with-error', 'truncated',
  'not-json', 'wrong-id', 'null-id', 'invalid-utf8', 'split']
  .map((variant) => ({ tool: 'malformed_message', args: { variant } }));
const disconnects = [{}, { how: 'reset' }, { how: 'half_close' }, { after: 40 },
  { how: 'exit', code: 7 }].map((args) => ({ tool: 'disconnect', args }));
const liveness = [{ pingAfterMs: 0, livenessTimeoutMs: 200 },
  { pingAfterMs: 0, livenessTimeoutMs: 200, closeOnFailure: true }]
  .map((args) => ({ tool: 'protocol_ping_liveness', args }));

const ROWS = [
  { tool: 'ping' },
  { tool: 'delay', args: { delayMs: 300 } },
  { tool: 'delay', args: { delayMs: 5000 } },
  { tool: 'hang' },
  ...disconnects,
  ...malformed,
  { tool: 'duplicate_response' },
  { tool: 'response_after_cancellation', needs: 'late', cancels: true },
  { tool: 'session_loss', args: { activation: 'during_request' }, needs: 'session' },
  { tool: 'session_loss', args: { activation: 'after_response' }, needs: 'session' },
  ...liveness,
];

/** "McpError -32001", "TypeError": the class and its code. What the system says of a lost socket
 * (as the cause of a TypeError) differs between runs, and is left out. */
function nameOf(error) {
  const name = error?.constructor?.name ?? typeof error;
  return error?.code === undefined ? name : `${name} ${error.code}`;
}

function isTimeout(error) {
  return /timed? ?out/i.test(`${error?.message} ${error?.code}`);
}

async function settle(promise) {
  try {
    return { result: await promise };
  } catch (error) {
    return { error };
  }
}

function outcomeOf({ result, error }) {
  if (error) return isTimeout(error) ? 'timeout' : 'rejected';
  return result.isError ? 'tool error' : 'result';
}

/** Whether the client told the server that it gave the call up. */
function toldOf(peer, id) {
  return peer.sent.some((message) => message.method === 'notifications/cancelled' &&
    message.params?.requestId === id);
}

async function tryTool(peer, row) {
  const reports = [];
  peer.client.onerror = (error) => reports.push(nameOf(error));
  const abort = new AbortController();
  const options = { timeout: TIMEOUT_MS };
  if (row.cancels) {
    options.signal = abort.signal;
    options.onprogress = () => abort.abort('enough');
    options.timeout = 3 * TIMEOUT_MS;
  }
  const first = await settle(peer.callTool({ name: row.tool, arguments: row.args ?? {} }, options));
  const { id } = peer.sent.findLast((message) => message.method === 'tools/call');
  const next = await settle(peer.callTool({ name: 'ping', arguments: {} }, { timeout: 2000 }));
  await wait(100);  // what is late may still come
  return {
    outcome: row.cancels && abort.signal.aborted ? 'cancelled' : outcomeOf(first),
    error: first.error && nameOf(first.error),
    told: toldOf(peer, id),
    heard: peer.received.filter((message) => message.id === id && !message.method).length,
    reports: [...new Set(reports)],
    next: next.error ? nameOf(next.error) : 'result',
  };
}

async function withPeer(column, body) {
  const words = [squall, 'serve', '--quiet', ...(column.words ?? [])];
  const server = column.transport === 'http' ? await serveHttp(words, 'ignore') : undefined;
  let peer;
  try {
    peer = await connect(column.kind, column.transport, server?.url ?? words, () => ({}), 'ignore');
    return await body(peer);
  } finally {
    await settle(peer?.client.close());
    await server?.stop();
  }
}

async function tryColumn(column) {
  const out = {};
  for (const row of ROWS) {
    const label = [row.tool, ...Object.entries(row.args ?? {}).map(([key, value]) =>
      `${key}=${value}`)].join(' ');
    if (row.needs && !column.offers.includes(row.needs)) continue;
    out[label] = await withPeer(column, (peer) => tryTool(peer, row));
  }
  return out;
}

const results = {};
const left = [...COLUMNS];
await Promise.all(Array.from({ length: COLUMNS_AT_ONCE }, async () => {
  for (let column = left.shift(); column; column = left.shift()) {
    results[column.name] = await tryColumn(column);
  }
}));
const ordered = Object.fromEntries(COLUMNS.map(({ name }) => [name, results[name]]));
process.stdout.write(`${JSON.stringify(ordered, null, 1)}\n`);
