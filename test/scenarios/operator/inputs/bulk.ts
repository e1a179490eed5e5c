import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'bulk.start': ({ applicationId }) => ({
    act: 'applications.decide',
    decision: 'accepted',
    ids: [applicationId],
  }),
  'bulk.rotateSecrets': ({ partnerId }) => ({ partnerId }),
};
