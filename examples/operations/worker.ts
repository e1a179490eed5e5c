/** The worker process: sends webhooks, hands over the inbox, and serves nothing but its health. */
import { hostname } from 'node:os';
import { print } from '../server/console-output.js';
import { stopOnSignal } from '../server/stop-signals.js';
import { serveHealth } from './health-server.js';
import { openProcess } from './open-process.js';
import { readProcessSettings } from './settings.js';

const settings = readProcessSettings(process.env);
const partnerHiring = await openProcess(settings);
partnerHiring.worker.start();
const health = await serveHealth({
  host: settings.host,
  port: settings.healthPort,
  /** The worker writes every 30 seconds that it is alive, or until when it sleeps. This reads what it has written. */
  check: async () => {
    const { workers } = await partnerHiring.operator.system.status();
    const isSeen = workers.some(
      ({ name, pid, isAlive }) => isAlive && pid === process.pid && name === hostname(),
    );
    if (!isSeen) throw new Error('The worker has not reported for 90 seconds.');
  },
});
print('The worker is ready.');

stopOnSignal(async () => {
  health.drain();
  await partnerHiring.close();
  await health.close();
});
