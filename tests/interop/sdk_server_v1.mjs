// node sdk_server_v1.mjs stdio|http
//
// A server on version 1 of the official SDK, with sessions over HTTP, where it prints its port.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

function build() {
  const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' },
    { capabilities: { logging: {} } });
  server.registerTool('add', {
    description: 'Adds.',
    inputSchema: { a: z.number(), b: z.number() },
    outputSchema: { sum: z.number() },
  }, ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
  server.registerTool('fail', {}, () => ({ ...text('out of paper'), isError: true }));
  server.registerTool('slow', { inputSchema: { ms: z.number() } }, async ({ ms }, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (let step = 1; step <= 3; step += 1) {
      await new Promise((resolve) => { setTimeout(resolve, ms / 3); });
      if (progressToken === undefined) continue;
      await extra.sendNotification({ method: 'notifications/progress',
        params: { progressToken, progress: step, total: 3 } });
    }
    return text('slept');
  });
  server.registerTool('ask', {}, async () => {
    const answer = await server.server.elicitInput({ message: 'Your name?', requestedSchema: {
      type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } });
    return text(`Hello, ${answer.content.name}!`);
  });
  server.registerTool('touch', {}, async () => {
    server.sendToolListChanged();
    return text('touched');
  });
  server.registerResource('note', 'demo://note', { mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
  server.registerResource('item', new ResourceTemplate('demo://item/{id}', { list: undefined }), {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `item ${id}` }] }));
  server.registerPrompt('greet', { argsSchema: { name: z.string() } }, (given) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${given.name}` } }] }));
  return server;
}

const transports = new Map();

async function serve(request, response) {
  const session = request.headers['mcp-session-id'];
  let transport = transports.get(session);
  if (session && !transport) return response.writeHead(404).end();
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await build().connect(transport);
  }
  return transport.handleRequest(request, response);
}

if (process.argv[2] === 'stdio') {
  await build().connect(new StdioServerTransport());
} else {
  const http = createServer(serve);
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
}
