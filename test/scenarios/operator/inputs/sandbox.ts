import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'sandbox.prepare': ({ sandboxKeyId: keyId }) => ({ keyId }),
};
