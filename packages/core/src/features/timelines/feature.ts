import type { Feature } from '../feature.js';
import { timelineDefinitions } from './commands.js';

export const timelinesFeature: Feature = {
  name: 'timelines',
  needs: ['audit', 'inbox', 'request-log'],
  commands: { timelines: timelineDefinitions },
};
