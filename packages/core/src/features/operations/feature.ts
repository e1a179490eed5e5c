import type { Feature } from '../feature.js';
import { operationDefinitions } from './commands.js';
import { operationWaiterDefinitions } from './wait-commands.js';

export const operationsFeature: Feature = {
  name: 'operations',
  needs: ['jobs-sync'],
  commands: { operations: operationDefinitions },
  commandsAlone: { operations: operationWaiterDefinitions },
};
