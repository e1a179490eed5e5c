import { type Inputs, WINDOW } from '../inputs.js';

export const INPUTS: Inputs = {
  'audit.recordExport': (its) => ({ list: 'jobs', filter: { state: 'open' }, partnerIds: [its.partnerId] }),
  'audit.find': () => ({ id: 'aud_1', limit: 9 }),
  'audit.list': ({ jobId: id }) => ({ object: { kind: 'job', id }, ...WINDOW, limit: 9 }),
};
