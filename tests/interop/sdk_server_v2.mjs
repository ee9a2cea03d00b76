// node sdk_server_v2.mjs stdio|http
//
// A server on version 2 of the official SDK, for both eras; over HTTP it prints its port.
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, McpServer, ResourceTemplate }
  from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const text = (words) => ({ content: [{ type: 'text', text: words }] });
const name = z.object({ name: z.string() });

function build() {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' },
    { capabilities: { logging: {} } });
  server.registerTool('add', {
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  }, ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }));
  server.registerTool('fail', {}, () => ({ ...text('out of paper'), isError: true }));
  const span = { inputSchema: z.object({ ms: z.number() }) };
  server.registerTool('slow', span, async ({ ms }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let step = 1; step <= 3; step += 1) {
      await new Promise((resolve) => { setTimeout(resolve, ms / 3); });
      if (progressToken === undefined) continue;
      await ctx.mcpReq.notify({ method: 'notifications/progress',
        params: { progressToken, progress: step, total: 3 } });
    }
    return text('slept');
  });
  server.registerTool('ask', {}, async (ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'who', name);
    if (answer) return text(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { who: inputRequired.elicit({
      message: 'Your name?', requestedSchema: {
        type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } }) } });
  });
  server.registerTool('touch', {}, async (ctx) => {
    announce(ctx, server);
    return text('touched');
  });
  server.registerResource('note', 'demo://note', { mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, text: 'a note' }] }));
  server.registerResource('item', new ResourceTemplate('demo://item/{id}', { list: undefined }), {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: `item ${id}` }] }));
  server.registerPrompt('greet', { argsSchema: name }, (given) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${given.name}` } }] }));
  return server;
}

let announce = (ctx, server) => server.sendToolListChanged();

if (process.argv[2] === 'stdio') {
  serveStdio(build);
} else {
  const handler = createMcpHandler(build);
  announce = () => handler.notify.toolsChanged();
  const http = createServer(toNodeHandler(handler));
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
}
