import type { Feature } from '../feature.js';
import { bulkDefinitions } from './commands.js';
import { bulkStep } from './steps.js';

export const bulkFeature: Feature = {
  name: 'bulk',
  needs: ['operations'],
  commands: { bulk: bulkDefinitions },
  plans: { bulk: { step: bulkStep } },
};
