import type { Feature } from '../feature.js';
import { createFailingWarner, WARN_EVERY_MS } from './failing-task.js';
import { createAlertSender } from './task.js';

export const alertsFeature: Feature = {
  name: 'alerts',
  make: ({ options: { portalUrl, support }, ports }) => ({
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
