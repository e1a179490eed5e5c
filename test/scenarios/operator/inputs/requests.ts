import { type Inputs, WINDOW } from '../inputs.js';

export const INPUTS: Inputs = {
  'requests.list': ({ keyId }) => ({
    keyId,
    onlyErrors: true,
    status: 409,
    code: 'JOB_CLOSED',
    ...WINDOW,
  }),
  'requests.listReads': ({ keyId }) => ({ keyId, onlyLast: true, limit: 9 }),
  'requests.find': () => ({ id: 'token-1' }),
};
