/** A host on `node:http`. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { createServer } from 'node:http';
import { createNodeHandler } from '@partner-hiring/node';
import { partnerHiring } from './partner-hiring.js';

const handle = createNodeHandler(partnerHiring);
createServer((request, response) =>
  handle(request, response, () => {
    if (request.url === '/own') response.end('own');
    else response.writeHead(404).end();
  }),
).listen(Number(process.env.PORT), '127.0.0.1');
