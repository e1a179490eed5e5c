/** A host on Hapi. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import Hapi from '@hapi/hapi';
import { createNodeHandler } from '@partner-hiring/node';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const server = Hapi.server({ host: '127.0.0.1', port: Number(process.env.PORT), debug: false });
server.route({ method: 'GET', path: '/early', handler: early });
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
for (const [path, handler] of Object.entries(OWN)) server.route({ method: 'GET', path, handler });
server.route({ method: 'POST', path: '/own', handler: ({ payload }) => payload });
// As tests of a Hapi host do.
server.route({
  method: 'GET',
  path: '/injected',
  handler: async () => {
    const paths = ['/api/v1/external/jobs', '/console', '/own'];
    const answers = await Promise.all(paths.map((url) => server.inject(url)));
    return answers.map(({ statusCode }) => statusCode).join(' ');
  },
});
await server.start();
