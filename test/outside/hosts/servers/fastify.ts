/** A host on Fastify. `partner-hiring.ts` is the program of docs/quick-start-host.md. */
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { early, OWN } from './own.js';
import { partnerConsole, portal } from './pages.js';
import { partnerHiring } from './partner-hiring.js';

const app = Fastify();
app.get('/early', early);
await app.register(partnerHiringFastify(partnerHiring));
await app.register(partnerConsole.fastify);
await app.register(portal.fastify);
for (const [path, answer] of Object.entries(OWN)) app.get(path, answer);
app.post('/own', async ({ body }) => body);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
