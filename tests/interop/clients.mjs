// The official clients behind one face, so that interop.mjs asks all of them the same questions.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
// The packages stand under build/, where an import from here does not look.
const require = createRequire(join(root, 'build/node/package.json'));

const INFO = { name: 'squall-interop', version: '1.0.0' };
const START_MS_MAX = 30_000;

/** The notifications that the tests watch, as short names. */
export const WATCHED = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resource: 'notifications/resources/updated',
  log: 'notifications/message',
};

const V2_MODES = {
  'v2-legacy': 'legacy',
  'v2-auto': 'auto',
  'v2-pinned': { pin: '2026-07-28' },
};

/** Connects one client of the kind. `answer` replies to elicitations; all that arrives is kept.
 * `target` is a URL, or a program, or an array of one and its own arguments. */
export async function connect(kind, transportKind, target, answer, stderr = 'inherit') {
  const place = transportKind === 'stdio' ? stdioParameters(target, stderr) : new URL(target);
  const { client, transport, callTool } =
    kind === 'v1' ? makeV1(transportKind, place) : makeV2(kind, transportKind, place);
  const seen = { tools: 0, prompts: 0, resource: 0, log: 0 };
  const elicited = [];
  onRequest(kind, client, 'elicitation/create', (request) => {
    elicited.push(request.params);
    return answer(request.params);
  });
  for (const [short, method] of Object.entries(WATCHED)) {
    onNotification(kind, client, method, () => { seen[short] += 1; });
  }
  // v1 tells the revision to its transport alone.
  let told;
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (revision) => { told = revision; tell?.(revision); };
  await client.connect(transport);
  const revision = () => client.getNegotiatedProtocolVersion?.() ?? told;

  const received = [];
  const sent = [];
  const deliver = transport.onmessage;
  transport.onmessage = (message, extra) => { received.push(message); deliver(message, extra); };
  const send = transport.send.bind(transport);
  transport.send = (message, options) => { sent.push(message); return send(message, options); };
  return { client, callTool, revision, seen, elicited, received, sent };
}

function makeV1(transportKind, place) {
  const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
  const http = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { CallToolResultSchema } = require('@modelcontextprotocol/sdk/types.js');
  const client = new Client(INFO, { capabilities: { elicitation: {} } });
  const transport = transportKind === 'stdio'
    ? new StdioClientTransport(place)
    : new http.StreamableHTTPClientTransport(place);
  const callTool = (params, options) => client.callTool(params, CallToolResultSchema, options);
  return { client, transport, callTool };
}

function makeV2(kind, transportKind, place) {
  const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
  const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');
  const client = new Client(INFO, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: V2_MODES[kind] },
  });
  const transport = transportKind === 'stdio'
    ? new StdioClientTransport(place)
    : new StreamableHTTPClientTransport(place);
  return { client, transport, callTool: (params, options) => client.callTool(params, options) };
}

function stdioParameters(target, stderr) {
  const [command, ...own] = [target].flat();
  return { command, args: [...own, '--transport', 'stdio'], stderr };
}

// v1 names methods by schema, v2 by their name.
const V1_SCHEMAS = {
  'elicitation/create': 'ElicitRequestSchema',
  'notifications/tools/list_changed': 'ToolListChangedNotificationSchema',
  'notifications/prompts/list_changed': 'PromptListChangedNotificationSchema',
  'notifications/resources/updated': 'ResourceUpdatedNotificationSchema',
  'notifications/message': 'LoggingMessageNotificationSchema',
};

function name(kind, method) {
  return kind === 'v1' ? require('@modelcontextprotocol/sdk/types.js')[V1_SCHEMAS[method]] : method;
}

function onRequest(kind, client, method, handler) {
  client.setRequestHandler(name(kind, method), handler);
}

function onNotification(kind, client, method, handler) {
  client.setNotificationHandler(name(kind, method), handler);
}

/** Starts the program (or an array of one and its own arguments) over HTTP on a free port; `stop`
 * ends it and gives its exit code. */
export async function serveHttp(target, stderr = 'inherit') {
  const [program, ...own] = [target].flat();
  const folder = mkdtempSync(join(tmpdir(), 'squall-interop-'));
  const portFile = join(folder, 'port');
  const server = spawn(program, [...own, '--transport', 'http', '--host', '127.0.0.1', '--port',
    '0', '--path', '/mcp', '--port-file', portFile], { stdio: ['ignore', 'inherit', stderr] });
  const exited = once(server, 'exit');
  const port = await portFrom(portFile, server);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      server.kill('SIGTERM');
      const [code, signal] = await exited;
      rmSync(folder, { recursive: true });
      return code ?? signal;
    },
  };
}

async function portFrom(file, server) {
  for (const deadline = Date.now() + START_MS_MAX; Date.now() < deadline;) {
    if (server.exitCode !== null) break;
    const text = existsSync(file) ? readFileSync(file, 'ascii').trim() : '';
    if (text) return Number(text);
    await wait(10);
  }
  server.kill('SIGKILL');
  throw new Error('the server told no port');
}
