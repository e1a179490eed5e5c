import type { Inputs } from '../inputs.js';

const PASS = { token: 'none', host: 'jobs.example.com' };

export const INPUTS: Inputs = {
  'portal.createLink': ({ partnerId }) => ({
    partnerId,
    rights: ['keys', 'requests'],
    expiresInMs: 60_000,
    url: 'https://jobs.example.com/portal',
  }),
  'portal.revoke': ({ partnerId }) => ({ partnerId }),
  'portal.signIn': () => ({ ...PASS }),
  'portal.find': () => ({ ...PASS, kind: 'session' }),
};
