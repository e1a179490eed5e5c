import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'keys.issue': ({ newPartnerId: partnerId }) => ({
    partnerId,
    environment: 'production',
    endpointUrl: 'https://ats.example/hooks',
    override: { reason: 'ticket 815' },
  }),
  'keys.rotate': ({ keyId: id }) => ({ id, overlapMs: 0 }),
  'keys.revoke': ({ keyId: id }) => ({ id, all: true }),
  'keys.find': ({ keyId: id }) => ({ id }),
  'keys.list': ({ partnerId }) => ({ partnerId }),
  'keys.probe': ({ keyId: id }) => ({ id }),
  'keys.readiness': ({ keyId: id }) => ({ id }),
};
