import type { Feature } from '../feature.js';
import { totalDefinitions } from './commands.js';
import { startOfDay, TOTALS_KEPT_MS } from './rules.js';
import { createTotalsTask } from './task.js';

export const totalsFeature: Feature = {
  name: 'totals',
  commands: { totals: totalDefinitions },
  make: ({ ports: { storage, runtime, logger } }) => ({
    tasks: () => [{ task: createTotalsTask(storage, { clock: runtime.clock, logger }), inSleep: true }],
    sweeps: [
      {
        kind: 'totals',
        rows: 'totals',
        before: (now) => startOfDay(now - TOTALS_KEPT_MS),
        remove: (r, ...by) => r.totals.sweep(...by),
      },
    ],
  }),
};
