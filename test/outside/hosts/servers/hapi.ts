/** A host on Hapi. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import Hapi from '@hapi/hapi';
import { createNodeHandler } from '@partner-hiring/node';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const server = Hapi.server({ host: '127.0.0.1', port: Number(process.env.PORT) });
for (const handle of [createNodeHandler(partnerHiring), partnerConsole.node, portal.node]) {
  server.ext('onRequest', async (request, h) => {
    let isOurs = true;
    await handle(request.raw.req, request.raw.res, (error) => {
      if (error !== undefined) throw error;
      isOurs = false;
    });
    return isOurs ? h.abandon : h.continue;
  });
}
const own = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5)); // as a query of a database does
  return 'own';
};
server.route({ method: 'GET', path: '/own', handler: own });
server.route({ method: 'POST', path: '/own', handler: ({ payload }) => payload });
await server.start();
