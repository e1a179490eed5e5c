/** The console and the portal of a host. Prints a link to the portal for each partner. */
import { CONSOLE_RIGHTS, createConsole } from '@partner-hiring/console';
import { createPartnerPortal } from '@partner-hiring/console/portal';
import { partnerHiring } from './partner-hiring.js';

const { operator } = partnerHiring;
export const partnerConsole = createConsole({
  operator,
  actor: () => ({ id: 'staff-1', name: 'Staff', rights: CONSOLE_RIGHTS.support, partnerIds: 'all' }),
});
export const portal = createPartnerPortal({
  operator,
  brand: { name: 'Elevate Jobs' },
  support: { email: 'partners@jobs.example.com' },
});

const url = `http://127.0.0.1:${process.env.PORT}/portal`;
for (const { id: partnerId } of (await operator.partners.list()).items) {
  console.log(`Portal ${(await operator.portal.createLink({ partnerId, url })).link}`);
}
