import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'partners.update': ({ leaverId: id }) => ({
    id,
    name: 'Acme Talent',
    contact: { name: 'Robin Field', email: 'robin@ats.example' },
    disabled: true,
  }),
  'partners.remove': ({ leaverId: id }) => ({ id }),
  'partners.find': ({ partnerId: id }) => ({ id, health: true }),
  'partners.list': () => ({ onlyRemoved: false, limit: 9 }),
  'partners.create': ({ newPartnerId, companyId }) => ({
    id: `${newPartnerId}_2`,
    name: 'Acme ATS',
    keys: [
      { environment: 'production', companyIds: [companyId], endpointUrl: 'https://ats.example/webhooks' },
      { environment: 'sandbox' },
    ],
  }),
};
