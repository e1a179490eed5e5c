import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'deployment.rename': () => ({ name: 'staging' }),
  'deployment.claim': () => ({ name: 'testing', from: 'staging' }),
};
