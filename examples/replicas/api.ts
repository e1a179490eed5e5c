/** An API process: serves partners and sends no webhooks. */
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { print } from '../server/console-output.js';
import { announce, fromEnvironment, openReplica } from './open-replica.js';

const partnerHiring = await openReplica(fromEnvironment());
// Serves requests during shutdown; by default, Fastify would return 503.
const app = Fastify({ return503OnClosing: false });
app.addHook('onResponse', async ({ method, url }, reply) => {
  print(`${method} ${url} → ${reply.statusCode}`);
});
await app.register(partnerHiringFastify(partnerHiring));
const address = await app.listen({ host: '127.0.0.1', port: 0 });

announce(partnerHiring, app, address);
