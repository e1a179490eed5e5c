import type { CompanyId, PartnerId } from '@partner-hiring/core';

const PASS = { token: 'none', host: 'jobs.example.com' };

interface Ids {
  readonly newPartnerId: PartnerId;
  readonly companyId: CompanyId;
}

/** A valid input for each command of the portal, for the one that creates a partner, and for two that read. */
export const PARTNER_INPUTS = {
  'partners.create': ({ newPartnerId, companyId }: Ids) => ({
    id: `${newPartnerId}_2`,
    name: 'Acme ATS',
    keys: [
      { environment: 'production', companyIds: [companyId], endpointUrl: 'https://ats.example/webhooks' },
      { environment: 'sandbox' },
    ],
  }),
  'portal.createLink': ({ partnerId }: { readonly partnerId: PartnerId }) => ({
    partnerId,
    rights: ['keys', 'requests'],
    expiresInMs: 60_000,
    url: 'https://jobs.example.com/portal',
  }),
  'portal.revoke': ({ partnerId }: { readonly partnerId: PartnerId }) => ({ partnerId }),
  'portal.signIn': () => ({ ...PASS }),
  'portal.find': () => ({ ...PASS, kind: 'session' }),
  'requests.find': () => ({ id: 'token-1' }),
  'system.status': () => ({ hours: 24, sealing: true }),
};
