import type { Inputs } from '../inputs.js';

export const INPUTS: Inputs = {
  'endpoints.setUrl': ({ keyId }) => ({ keyId, url: 'https://ats.example/other' }),
  'endpoints.rotateSecret': ({ keyId }) => ({ keyId }),
  'endpoints.pause': ({ keyId }) => ({ keyId }),
  'endpoints.resume': ({ keyId }) => ({ keyId }),
  'endpoints.find': ({ keyId }) => ({ keyId, since: 5 }),
  'endpoints.list': () => ({ limit: 9 }),
  'endpoints.test': ({ keyId }) => ({ keyId, type: 'job.closed' }),
};
