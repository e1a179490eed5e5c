import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'secrets.reseal': () => ({ force: true }),
};
