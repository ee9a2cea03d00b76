// node interop.mjs v1|v2-legacy|v2-auto|v2-pinned stdio|http PROGRAM
//
// One official client against examples/everything: it must connect in the revision expected, list,
// call, see progress, cancel, subscribe, and be asked by the server.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

import { connect, serveHttp } from './clients.mjs';

const [kind, transport, program] = process.argv.slice(2);
const modern = kind === 'v2-auto' || kind === 'v2-pinned';
const WATCHED_URI = 'test://watched-resource';

let server;
let peer;
let reply = accept;

/** Fills in a form: text for every string, the first choice where there are any. */
function accept({ requestedSchema }) {
  const content = {};
  for (const [key, schema] of Object.entries(requestedSchema.properties)) {
    const filled = { string: 'Ann', boolean: true }[schema.type] ?? 1;
    content[key] = schema.enum ? schema.enum[0] : filled;
  }
  return { action: 'accept', content };
}

function textOf(result) {
  return result.content.filter((item) => item.type === 'text').map((item) => item.text).join('\n');
}

/** Waits for what the server sends on its own; `again` provokes it once more each time round. */
async function eventually(condition, what, again = async () => {}) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (condition()) return;
    await again();
    await wait(25);
  }
  assert.fail(`never happened: ${what}`);
}

before(async () => {
  if (transport === 'http') server = await serveHttp(program);
  peer = await connect(kind, transport, server?.url ?? program, (params) => reply(params));
});

after(async () => {
  const begun = performance.now();
  await peer?.client.close();
  // Both clients give a child two seconds after closing its stdin before they signal it.
  if (transport === 'stdio') assert.ok(performance.now() - begun < 1900, 'ends with its stdin');
  if (server) assert.equal(await server.stop(), 0, 'ends well when told to');
});

test('negotiates the expected revision', () => {
  assert.equal(peer.revision(), modern ? '2026-07-28' : '2025-11-25');
  const capabilities = peer.client.getServerCapabilities();
  assert.deepEqual(
    ['tools', 'prompts', 'resources'].filter((name) => !capabilities[name]?.listChanged), []);
  assert.equal(capabilities.resources.subscribe, true);
});

test('lists tools, prompts, resources and templates', async () => {
  const { client } = peer;
  const names = (items) => items.map((item) => item.name);
  const { tools } = await client.listTools();
  assert.ok(names(tools).includes('echo'));
  assert.ok(names(tools).includes('test_simple_text'));
  assert.ok(tools.every((tool) => tool.description && tool.inputSchema.type === 'object'));
  assert.ok(names((await client.listPrompts()).prompts).includes('test_simple_prompt'));
  const { resources } = await client.listResources();
  assert.ok(resources.some(({ uri }) => uri === 'test://static-text'));
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.ok(resourceTemplates.some((item) => item.uriTemplate === 'test://template/{id}/data'));
});

test('calls tools', async () => {
  const simple = await peer.callTool({ name: 'test_simple_text' });
  assert.equal(textOf(simple), 'This is a simple text response for testing.');
  const text = 'gr\u00fc\u00df "dich" \u{1f30a}\u2028\n';
  assert.equal(textOf(await peer.callTool({ name: 'echo', arguments: { text } })), text);
  const wrong = await peer.callTool({ name: 'test_error_handling' });
  assert.equal(wrong.isError, true);
  await assert.rejects(peer.callTool({ name: 'no_such_tool' }), { code: -32602 });
});

test('keeps parallel calls apart', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `call ${index}`);
  const results = await Promise.all(
    texts.map((text) => peer.callTool({ name: 'echo', arguments: { text } })));
  assert.deepEqual(results.map(textOf), texts);
});

test('sends arguments in headers where the tool says so', async () => {
  await peer.client.listTools();
  for (const region of ['us-west1', 'h\u00e9\u00e9', ' padded ']) {
    const result = await peer.callTool({ name: 'test_x_mcp_header', arguments: { region } });
    assert.notEqual(result.isError, true);
  }
});

test('reads resources and gets prompts', async () => {
  const { client } = peer;
  const { contents } = await client.readResource({ uri: 'test://static-text' });
  assert.equal(contents[0].text, 'This is the content of the static text resource.');
  const templated = await client.readResource({ uri: 'test://template/123/data' });
  assert.equal(JSON.parse(templated.contents[0].text).id, '123');
  await assert.rejects(client.readResource({ uri: 'test://no-such-thing' }));
  const prompt = await client.getPrompt(
    { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } });
  assert.equal(prompt.messages[0].content.text, "Prompt with arguments: arg1='a', arg2='b'");
});

test('completes an argument', async () => {
  const { completion } = await peer.client.complete({
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: '' },
  });
  assert.ok(Array.isArray(completion.values));
});

test('reports progress', async () => {
  const progress = [];
  await peer.callTool({ name: 'test_tool_with_progress' },
    { onprogress: (step) => progress.push([step.progress, step.total]) });
  assert.deepEqual(progress, [[0, 100], [50, 100], [100, 100]]);
});

// On 2026-07-28 every request names its own level, and these clients have no way to say it.
if (!modern) {
  test('sends log messages at the level asked for', async () => {
    await peer.client.setLoggingLevel('info');
    const earlier = peer.seen.log;
    await peer.callTool({ name: 'test_tool_with_logging' });
    await eventually(() => peer.seen.log >= earlier + 3, 'three log messages');
  });
}

test('cancels a call', async () => {
  const abort = new AbortController();
  const call = peer.callTool({ name: 'test_tool_with_progress' },
    { signal: abort.signal, onprogress: () => abort.abort('enough') });
  await assert.rejects(call);
  const id = peer.sent.findLast((message) => message.method === 'tools/call').id;

  // A whole run of the same tool takes as long as the cancelled one would have: an answer to that
  // one would have come by now.
  await peer.callTool({ name: 'test_tool_with_progress' }, { onprogress: () => {} });
  const answers = peer.received.filter((message) => message.id === id && !message.method);
  assert.deepEqual(answers, []);
});

test('tells list changes and watches a resource', async () => {
  const { client, callTool, seen } = peer;
  let subscription;
  if (modern) {
    subscription = await client.listen({
      toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [WATCHED_URI],
    });
    assert.deepEqual(subscription.honoredFilter, {
      toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [WATCHED_URI],
    });
  } else {
    await client.subscribeResource({ uri: WATCHED_URI });
  }
  // The legacy clients open their stream for these without telling when it stands: ask again.
  await eventually(() => seen.tools > 0, 'tools/list_changed',
    () => callTool({ name: 'test_trigger_tool_change' }));
  await eventually(() => seen.prompts > 0, 'prompts/list_changed',
    () => callTool({ name: 'test_trigger_prompt_change' }));

  if (modern) {
    await subscription.close();
    assert.equal(await subscription.closed, 'local');
  } else {
    await client.unsubscribeResource({ uri: WATCHED_URI });
  }
  const { tools } = await client.listTools();
  assert.ok(tools.length > 0);
});

test('is asked by the server and answers', async () => {
  const earlier = peer.elicited.length;
  if (modern) {
    const result = await peer.callTool({ name: 'test_input_required_result_elicitation' });
    assert.equal(textOf(result), 'Hello, Ann!');
    assert.equal(peer.elicited.at(-1).message, 'What is your name?');
  } else {
    const asked = { name: 'test_elicitation', arguments: { message: 'Who are you?' } };
    assert.match(textOf(await peer.callTool(asked)), /accept.*Ann/s);
    assert.equal(peer.elicited.at(-1).message, 'Who are you?');
    reply = () => ({ action: 'decline' });
    assert.match(textOf(await peer.callTool(asked)), /decline/);
    reply = accept;
  }
  assert.ok(peer.elicited.length > earlier);
});

if (transport === 'http') {
  test('serves a second client beside the first', async () => {
    const second = await connect(kind, transport, server.url, accept);
    const answers = await Promise.all([peer, second].map(({ callTool }, index) =>
      callTool({ name: 'echo', arguments: { text: `client ${index}` } })));
    assert.deepEqual(answers.map(textOf), ['client 0', 'client 1']);
    await second.client.close();
    const still = await peer.callTool({ name: 'echo', arguments: { text: 'still' } });
    assert.equal(textOf(still), 'still');
  });
}
