import type { Feature } from '../feature.js';
import { createFailingWarner, WARN_EVERY_MS } from './failing-task.js';
import { createAlertSender } from './task.js';

export const alertsFeature: Feature = {
  name: 'alerts',
  tasks: ({ storage, runtime, logger, alerts, messages = {}, process }) => [
    ...(alerts === undefined
      ? []
      : [
          {
            task: createAlertSender({
              direct: storage.direct,
              alerts,
              messages,
              runtime,
              logger,
              deployment: process?.deployment ?? undefined,
            }),
            isDemanded: true,
          },
        ]),
    {
      task: createFailingWarner({
        storage,
        clock: runtime.clock,
        nextAlertId: () => runtime.ids.next('alert'),
      }),
      everyMs: WARN_EVERY_MS,
    },
  ],
  make: ({ options, ports }) => ({
    forWorker: {
      alerts: ports.alerts,
      messages: { portalUrl: options.portalUrl, support: options.support },
    },
  }),
};
