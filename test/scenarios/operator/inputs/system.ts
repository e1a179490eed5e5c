import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'system.status': () => ({ hours: 24, sealing: true }),
  'system.search': ({ partnerId }) => ({ text: 'acme', kinds: ['partner'], partnerIds: [partnerId] }),
};
