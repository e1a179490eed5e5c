import type { PartnerId } from '@partner-hiring/core';

const PASS = { token: 'none', host: 'jobs.example.com' };

/** A valid input for each command of the portal. */
export const PORTAL_INPUTS = {
  'portal.createLink': ({ partnerId }: { readonly partnerId: PartnerId }) => ({
    partnerId,
    rights: ['keys', 'requests'],
    expiresInMs: 60_000,
    url: 'https://jobs.example.com/portal',
  }),
  'portal.revoke': ({ partnerId }: { readonly partnerId: PartnerId }) => ({ partnerId }),
  'portal.signIn': () => ({ ...PASS }),
  'portal.find': () => ({ ...PASS, kind: 'session' }),
  'portal.signOut': () => ({ ...PASS }),
};
