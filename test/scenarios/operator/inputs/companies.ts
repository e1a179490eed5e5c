import type { Inputs } from '../inputs.js';

const PRODUCTION = { environment: 'production' };
const depot = (companyId: string, number: number) => ({ id: `${companyId}_${number}`, name: 'Depot' });

export const INPUTS: Inputs = {
  'companies.create': ({ companyId }) => ({ ...depot(companyId, 2), ...PRODUCTION }),
  'companies.rename': ({ companyId: id }) => ({ id, name: 'Depot' }),
  'companies.find': ({ companyId: id }) => ({ id }),
  'companies.list': ({ companyId }) => ({ names: [companyId], ...PRODUCTION }),
};
