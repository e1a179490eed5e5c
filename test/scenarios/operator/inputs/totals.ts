import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'totals.list': ({ partnerId, companyId }) => ({
    by: 'partner',
    from: '2025-10',
    to: '2025-11',
    environment: 'production',
    partnerId,
    companyId,
    limit: 9,
  }),
  'totals.listMissing': ({ keyId }) => ({ keyId, otherKeyId: keyId, limit: 9 }),
};
