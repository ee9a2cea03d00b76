// node real_server.mjs v1|v2-legacy stdio|http SQUALL
//
// An official client against npm's server-everything with `squall proxy` between them: what nothing
// strikes is the same as without the proxy, and one fault of each layer does what it says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { connect, serveHttp } from '../interop/clients.mjs';

const [kind, transport, squall] = process.argv.slice(2);
const SERVER = fileURLToPath(new URL(
  '../../build/node/node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  import.meta.url));
const ATTEMPTS = 600;

let folder;
let server;  // on HTTP
let url;

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  return port;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'squall-proxy-'));
  if (transport === 'stdio') return;
  const port = await freePort();
  server = spawn(process.execPath, [SERVER, 'streamableHttp'],
    { stdio: 'ignore', env: { ...process.env, PORT: String(port) } });
  url = `http://127.0.0.1:${port}/mcp`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await fetch(url);
      return;
    } catch {
      await wait(50);
    }
  }
  assert.fail('the server never came');
});

after(() => {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Connects through a proxy with these rules, or to the server itself without `rules`. */
async function through(rules, use) {
  const words = [];
  if (rules) {
    const profile = join(folder, 'profile.yaml');
    writeFileSync(profile, `squall: 1\nname: p\nseed: 7\nrules: [${rules}]\n`);
    words.push('--profile', profile);
  }
  let target = url;
  let between;
  if (transport === 'stdio') {
    const own = [process.execPath, SERVER, 'stdio'];
    target = rules === undefined ? own : [squall, 'proxy', '--quiet', ...words, '--', ...own];
  } else if (rules !== undefined) {
    between = await serveHttp([squall, 'proxy', '--quiet', ...words, '--upstream-url', url]);
    target = between.url;
  }
  let peer;
  try {
    peer = await connect(kind, transport, target, () => ({ action: 'decline' }), 'ignore');
    return await use(peer);
  } finally {
    await peer?.client.close().catch(() => {});
    if (between) assert.equal(await between.stop(), 0);
  }
}

const echo = (peer, message = 'hello') =>
  peer.callTool({ name: 'echo', arguments: { message } }, { timeout: 5000 });

test('what nothing strikes is the same', async () => {
  const ask = async (peer) => ({
    tools: await peer.client.listTools(),
    prompts: await peer.client.listPrompts(),
    resources: await peer.client.listResources(),
    echo: await echo(peer, 'h\u00e9 \u{1f600}'),
    info: peer.client.getServerVersion(),
    capabilities: peer.client.getServerCapabilities(),
  });
  assert.deepEqual(await through('', ask), await through(undefined, ask));
});

test('progress and long operations pass', async () => {
  const seen = [];
  await through('', (peer) => {
    // Seen where messages come in: the client forgets the call's progress as soon as its response
    // is there, and with it a last notification that came in the same read.
    const { transport: way } = peer.client;
    const hand = way.onmessage;
    way.onmessage = (message, extra) => {
      if (message.method === 'notifications/progress') seen.push(message.params.progress);
      hand(message, extra);
    };
    return peer.callTool(
      { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } },
      { onprogress: () => {} });
  });
  assert.deepEqual(seen, [1, 2, 3]);
});

test('tool', () => through('{id: t, fault: error, message: broken}', async (peer) => {
  const result = await echo(peer);
  assert.equal(result.isError, true);
  assert.match(JSON.stringify(result.content), /broken/);
}));

test('message', () => through('{id: m, fault: rpc-error, code: -32099, message: no}',
  (peer) => assert.rejects(echo(peer), { code: -32099 })));

test('catalogue', () => through('{id: c, fault: hide-tool, when: {tool: echo}}', async (peer) => {
  const { tools } = await peer.client.listTools();
  assert.ok(tools.length > 3);
  assert.ok(!tools.some(({ name }) => name === 'echo'));
}));

if (transport === 'stdio') {
  test('process', () => through('{id: p, fault: crash, signal: kill, messages: 3}',
    async (peer) => {
      await assert.rejects(async () => {
        for (let i = 0; i < 5; i += 1) await echo(peer);
      });
    }));
} else {
  const kinds = {
    http: '{id: h, fault: http-status, status: 503}',
    stream: '{id: s, fault: stream-cut, after-bytes: 20b}',
    auth: '{id: a, fault: unauthorized, challenge: none, when: {method: tools/call}}',
    session: '{id: e, fault: expire, after-requests: 1}',
  };
  for (const [layer, rule] of Object.entries(kinds)) {
    test(layer, () => through(rule, (peer) => assert.rejects(async () => {
      for (let i = 0; i < 5; i += 1) await echo(peer);
    })));
  }
  test('connection', () => assert.rejects(
    through('{id: r, fault: refuse, variant: accept-close}', (peer) => echo(peer))));
}
