import type { CompanyId, PartnerId } from '@partner-hiring/core';

const PASS = { token: 'none', host: 'jobs.example.com' };

interface Ids {
  readonly newPartnerId: PartnerId;
  readonly companyId: CompanyId;
}

/** A valid input for each command of the portal, for the one that brings a partner in, and for two that read. */
export const PARTNER_INPUTS = {
  'partners.onboard': ({ newPartnerId, companyId }: Ids) => ({
    id: `${newPartnerId}_3`,
    name: 'Onboarded ATS',
    environment: 'production',
    companyIds: [companyId],
    productionEndpointUrl: 'https://ats.example/webhooks',
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
  'portal.signOut': () => ({ ...PASS }),
  'requests.find': () => ({ id: 'token-1' }),
  'system.status': () => undefined,
};
