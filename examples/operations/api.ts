/** The API process: serves partners, and sends no webhooks. */
import { setTimeout } from 'node:timers/promises';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { print } from '../server/console-output.js';
import { stopOnSignal } from '../server/stop-signals.js';
import { serveHealth } from './health-server.js';
import { openProcess } from './open-process.js';
import { readProcessSettings } from './settings.js';

const settings = readProcessSettings(process.env);
const partnerHiring = await openProcess(settings);
const app = Fastify({ return503OnClosing: false, requestTimeout: 45_000, connectionTimeout: 60_000 });
await app.register(partnerHiringFastify(partnerHiring));
const health = await serveHealth({
  host: settings.host,
  port: settings.healthPort,
  // One small read of the database.
  check: async () => void (await partnerHiring.operator.partners.list({ limit: 1 })),
});
await app.listen({ host: settings.host, port: settings.port });
print('The API is ready.');

stopOnSignal(async () => {
  health.drain();
  await setTimeout(settings.drainMs);
  await app.close();
  await partnerHiring.close();
  await health.close();
});
