import type { Feature } from '../feature.js';
import { searchDefinitions } from './definitions.js';

export const searchFeature: Feature = {
  name: 'search',
  needs: ['operations', 'privacy', 'request-log'],
  commands: { system: searchDefinitions },
};
