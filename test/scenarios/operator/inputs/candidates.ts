import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'candidates.reveal': ({ applicationId }) => ({ applicationId }),
  'candidates.export': ({ applicationId }) => ({ applicationId }),
  'candidates.erase': ({ applicationId }) => ({ applicationId, clearSourceApplicationId: true }),
  'candidates.eraseMany': ({ companyId }) => ({ companyId, changedBefore: 5 }),
};
