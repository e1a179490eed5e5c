import { withDefaults } from '../../domain/optional.js';
import type { Feature } from '../feature.js';
import { checkGoLive } from './check-options.js';
import { readinessDefinitions } from './commands.js';
import { keyProberDefinitions } from './prober-commands.js';
import { checkRequirements } from './requirements.js';
import { GO_LIVE } from './rules.js';

export const readinessFeature: Feature = {
  name: 'readiness',
  checkOptions: ({ goLive }) => checkGoLive(goLive),
  commands: { keys: readinessDefinitions },
  commandsAlone: { keys: keyProberDefinitions },
  settings: ({ goLive }) => ({ goLive: withDefaults(GO_LIVE, goLive) }),
  hooks: { keyIssuing: checkRequirements },
};
