import { DAY_MS } from '../../domain/time.js';
import type { Feature } from '../feature.js';
import { alertDefinitions } from './commands.js';
import { createFailingWarner, WARN_EVERY_MS } from './failing-task.js';
import { createAlertSender } from './task.js';

/** Long enough to look into an incident of the last month. */
const SENT_KEPT_MS = 30 * DAY_MS;

export const alertsFeature: Feature = {
  name: 'alerts',
  commands: { alerts: alertDefinitions },
  make: ({ options: { portalUrl, support }, ports }) => ({
    sweeps: [
      {
        kind: 'sentAlerts',
        rows: 'sent alerts',
        before: (now) => now - SENT_KEPT_MS,
        remove: (r, ...by) => r.alerts.sweep(...by),
      },
    ],
    tasks() {
      const { storage, runtime, instance } = ports;
      const sender = createAlertSender({
        ...ports,
        direct: storage.direct,
        messages: { portalUrl, support },
        deployment: instance.deployment ?? undefined,
      });
      const warner = createFailingWarner({
        storage,
        clock: runtime.clock,
        nextAlertId: () => runtime.ids.next('alert'),
      });
      return [
        { task: sender, isDemanded: true },
        { task: warner, everyMs: WARN_EVERY_MS },
      ];
    },
  }),
};
