/** The console and the portal of a host. */
import { createConsole } from '@partner-hiring/console';
import { createPartnerPortal } from '@partner-hiring/console/portal';
import { partnerHiring } from './partner-hiring.js';

export const partnerConsole = createConsole({
  operator: partnerHiring.operator,
  actor: () => ({ id: 'staff-1', name: 'Staff', rights: ['system:read'], partnerIds: 'all' }),
});
export const portal = createPartnerPortal({
  operator: partnerHiring.operator,
  brand: { name: 'Elevate Jobs' },
  support: { email: 'partners@jobs.example.com' },
});
