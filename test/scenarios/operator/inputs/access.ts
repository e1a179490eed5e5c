import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'access.grant': ({ keyId, companyId }) => ({ keyId, companyId }),
  'access.revoke': ({ keyId, companyId }) => ({ keyId, companyId }),
  'access.raiseLimit': ({ keyId, companyId }) => ({ keyId, companyId }),
  'access.list': ({ keyId }) => ({ keyId, limit: 9 }),
};
