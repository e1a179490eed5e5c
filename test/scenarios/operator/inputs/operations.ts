import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'operations.list': () => ({ state: 'running' }),
  'operations.find': ({ operationId: id }) => ({ id }),
  'operations.stop': ({ operationId: id }) => ({ id }),
  'operations.wait': ({ endedOperationId: id }) => ({ id }),
};
