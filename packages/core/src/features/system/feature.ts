import type { Feature } from '../feature.js';
import { openAlertDefinitions, systemDefinitions } from './commands.js';
import { deploymentDefinitions } from './deployment-commands.js';
import { observeSystem } from './metrics.js';
import { secretDefinitions } from './secret-commands.js';

export const systemFeature: Feature = {
  name: 'system',
  needs: ['inbox', 'privacy'],
  commands: { alerts: openAlertDefinitions, system: systemDefinitions },
  commandsAlone: { deployment: deploymentDefinitions, secrets: secretDefinitions },
  make: ({ ports: { telemetry, storage, watch, storageClock, logger } }) => ({
    gauges: [observeSystem(telemetry, storage.direct, watch.standing, storageClock, logger)],
  }),
};
