import { type Inputs, WINDOW } from '../inputs.js';

export const INPUTS: Inputs = {
  'events.list': ({ keyId }) => ({ keyId, type: 'job.opened', ...WINDOW, limit: 9 }),
};
