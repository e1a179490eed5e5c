/** A host on `node:http`. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createNodeHandler } from '@partner-hiring/node';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const handlers = [createNodeHandler(partnerHiring), partnerConsole.node, portal.node];

/** Asks the handlers in turn, then the host's own routes. */
async function serve(request: IncomingMessage, response: ServerResponse, index = 0): Promise<void> {
  const handle = handlers[index];
  if (handle === undefined) return serveOwn(request, response);
  await handle(request, response, () => serve(request, response, index + 1));
}

async function serveOwn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = OWN[request.url ?? ''];
  if (own === undefined) response.writeHead(404).end('No such page.');
  else response.end(request.method === 'POST' ? await text(request) : await own());
}

createServer(async (request, response) => {
  try {
    if (request.url === '/early') response.end(await early());
    else await serve(request, response);
  } catch {
    response.writeHead(500).end('The server failed.');
  }
}).listen(Number(process.env.PORT), '127.0.0.1');
