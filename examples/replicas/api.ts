/** One of the API processes: it answers partners and sends nothing. */
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { announce, fromEnvironment, openReplica } from './open-replica.js';

const partnerHiring = await openReplica(fromEnvironment());
// What still arrives while the replica stops is served, not answered with a 503 of Fastify's own.
const app = Fastify({ return503OnClosing: false });
app.addHook('onResponse', async ({ method, url }, reply) => {
  console.log(`${method} ${url} → ${reply.statusCode}`);
});
await app.register(partnerHiringFastify(partnerHiring));
const address = await app.listen({ host: '127.0.0.1', port: 0 });

announce(async () => {
  await app.close();
  await partnerHiring.close();
}, address);
