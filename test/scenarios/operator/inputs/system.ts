import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'alerts.open': () => undefined,
  'alerts.listSent': ({ partnerId }) => ({ partnerId, limit: 5 }),
  'system.status': () => ({ hours: 24, sealing: true }),
  'system.search': ({ partnerId }) => ({ text: 'acme', kinds: ['partner'], partnerIds: [partnerId] }),
};
