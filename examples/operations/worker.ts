/** The worker process: sends webhooks, hands over the inbox, and serves nothing but its health. */
import { stopOnSignals } from '@partner-hiring/core';
import { consoleLogger, print } from '../server/console-output.js';
import { serveHealth } from './health-server.js';
import { openProcess } from './open-process.js';
import { readProcessSettings } from './settings.js';

const settings = readProcessSettings(process.env);
const partnerHiring = await openProcess(settings);
partnerHiring.worker.start();
const closeHealth = await serveHealth(partnerHiring, { host: settings.host, port: settings.healthPort });
print('The worker is ready.');

stopOnSignals({ partnerHiring, close: closeHealth, logger: consoleLogger });
