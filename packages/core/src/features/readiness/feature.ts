import { withDefaults } from '../../domain/optional.js';
import type { Feature } from '../feature.js';
import { readinessDefinitions } from './commands.js';
import { keyProberDefinitions } from './prober-commands.js';
import { GO_LIVE } from './rules.js';

export const readinessFeature: Feature = {
  name: 'readiness',
  needs: ['request-log'],
  commands: { keys: readinessDefinitions },
  commandsAlone: { keys: keyProberDefinitions },
  settings: ({ goLive }) => ({ goLive: withDefaults(GO_LIVE, goLive) }),
};
