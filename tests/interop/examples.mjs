// node examples.mjs v1|v2-pinned INVOICES FILES LONG_JOB
//
// One official client against the three example servers: typed actions grouped and flat, resources
// with subscriptions, and a long job with progress, elicitation and cancellation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { connect, serveHttp } from './clients.mjs';

const [kind, invoices, files, longJob] = process.argv.slice(2);
const modern = kind !== 'v1';

function textOf(result) {
  return result.content.filter((item) => item.type === 'text').map((item) => item.text).join('\n');
}

/** Runs `body` with a client connected to `program` over HTTP, and ends both. */
async function served(program, body, answer = () => ({ action: 'cancel' })) {
  const server = await serveHttp(program);
  const peer = await connect(kind, 'http', server.url, answer);
  try {
    assert.equal(peer.revision(), modern ? '2026-07-28' : '2025-11-25');
    await body(peer);
  } finally {
    await peer.client.close();
    assert.equal(await server.stop(), 0, 'ends well when told to');
  }
}

test('invoices: one tool with actions', () => served(invoices, async ({ client, callTool }) => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ['billing']);
  const { properties, required } = tools[0].inputSchema;
  assert.deepEqual(properties.action.enum, ['get', 'list', 'pay']);
  assert.deepEqual(required, ['action']);
  assert.equal(tools[0].annotations.destructiveHint, true);

  const call = (action, more = {}) => callTool({ name: 'billing', arguments: { action, ...more } });
  const got = await call('get', { id: 'INV-1' });
  assert.equal(got.structuredContent.customer, 'Ada');
  assert.deepEqual(JSON.parse(textOf(got)), got.structuredContent);

  const wrong = await call('get', { id: '7', idd: 'INV-1' });
  assert.equal(wrong.isError, true);
  assert.match(textOf(wrong), /code="VALIDATION_ERROR".*name="\/id".*did you mean 'id'/s);
  const missing = await call('get', { id: 'INV-99' });
  assert.match(textOf(missing), /code="NOT_FOUND".*<action>list<\/action>/s);
  assert.match(textOf(await call('gett')), /UNKNOWN_ACTION.*did you mean 'get'/s);

  const paid = await call('pay', { id: 'INV-1', cents: 125000 });
  assert.equal(paid.structuredContent.status, 'paid');
  assert.match(textOf(await call('pay', { id: 'INV-1', cents: 125000 })), /CONFLICT/);
  const open = await call('list', { status: 'open' });
  assert.deepEqual(open.structuredContent.invoices.map(({ id }) => id), ['INV-3']);
}));

test('invoices: a tool for each action', async () => {
  const peer = await connect(kind, 'stdio', [invoices, '--flat'], () => ({ action: 'cancel' }));
  try {
    const { tools } = await peer.client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['billing_get', 'billing_list', 'billing_pay']);
    assert.equal(tools[0].annotations.readOnlyHint, true);
    assert.ok(tools[0].outputSchema.properties.cents);
    const got = await peer.callTool({ name: 'billing_get', arguments: { id: 'INV-2' } });
    assert.equal(got.structuredContent.status, 'paid');
    // The client holds structured content against the output schema, errors included.
    const missing = await peer.callTool({ name: 'billing_get', arguments: { id: 'INV-99' } });
    assert.equal(missing.isError, true);
    assert.match(textOf(missing), /NOT_FOUND/);
  } finally {
    await peer.client.close();
  }
});

test('files: resources, completion and subscriptions', () => served(files, async (peer) => {
  const { client, callTool, seen } = peer;
  const write = (text) =>
    callTool({ name: 'notes', arguments: { action: 'write', name: 'a.txt', text } });
  assert.equal(textOf(await write('one')), 'OK');
  const uri = 'note:///a.txt';
  assert.equal((await client.readResource({ uri })).contents[0].text, 'one');
  await assert.rejects(client.readResource({ uri: 'note:///none.txt' }));
  await assert.rejects(client.readResource({ uri: 'note:///..%2f..%2fetc%2fpasswd' }));
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'note:///{name}' }, argument: { name: 'name', value: 'a' },
  });
  assert.deepEqual(completion.values, ['a.txt']);

  let subscription;
  if (modern) {
    subscription = await client.listen({ resourceSubscriptions: [uri] });
  } else {
    await client.subscribeResource({ uri });
  }
  // The legacy client opens its stream without telling when it stands: write again until it does.
  for (let attempt = 0; attempt < 200 && seen.resource === 0; attempt += 1) {
    await write(`text ${attempt}`);
    await wait(25);
  }
  assert.ok(seen.resource > 0, 'hears of the change');
  if (subscription) await subscription.close();
}));

test('long job: asks, tells how far it is, and ends when cancelled', async () => {
  let sure = true;
  const answer = () => ({ action: 'accept', content: { sure } });
  await served(longJob, async ({ callTool, elicited, sent, received }) => {
    const build = (more, options) =>
      callTool({ name: 'build', arguments: { target: 'x', step_ms: 20, ...more } }, options);
    const progress = [];
    const built = await build({ steps: 3 },
      // The v2 client tells of rounds of questions too, without a total.
      { onprogress: ({ progress: step, total }) => { if (total) progress.push([step, total]); } });
    assert.deepEqual(built.structuredContent, { target: 'x', steps: 3 });
    assert.deepEqual(progress, [[1, 3], [2, 3], [3, 3]]);
    assert.equal(elicited.at(-1).message, 'Build x in 3 steps?');

    sure = false;
    assert.match(textOf(await build({})), /DECLINED/);
    sure = true;

    const abort = new AbortController();
    await assert.rejects(build({ steps: 1000 },
      { signal: abort.signal, onprogress: ({ total }) => { if (total) abort.abort('enough'); } }));
    const { id } = sent.findLast((message) => message.method === 'tools/call');
    await build({ steps: 2 }, { onprogress: () => {} });
    assert.deepEqual(received.filter((message) => message.id === id && !message.method), []);
  }, answer);
});
