/** The API process: serves partners, and sends no webhooks. */
import { stopOnSignals } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { consoleLogger, print } from '../server/console-output.js';
import { serveHealth } from './health-server.js';
import { openProcess } from './open-process.js';
import { readProcessSettings } from './settings.js';

const settings = readProcessSettings(process.env);
const { host, port, drainMs } = settings;
const partnerHiring = await openProcess(settings);
const app = Fastify({ return503OnClosing: false, requestTimeout: 45_000, connectionTimeout: 60_000 });
await app.register(partnerHiringFastify(partnerHiring));
const closeHealth = await serveHealth(partnerHiring, { host, port: settings.healthPort });
await app.listen({ host, port });
print('The API is ready.');

stopOnSignals({ partnerHiring, server: app, drainMs, close: closeHealth, logger: consoleLogger });
