import type { PartnerAccess, PartnerView } from './portal/partner-view.js';

/** Methods of the operator that are no commands. */
export interface OperatorViews {
  /**
   * Returns what one partner may see and do, for pages of the partner such as `createPartnerPortal`. Nothing of another
   * partner can be reached through it. The audit records the partner as the actor.
   * @example
   * const own = operator.forPartner({ partnerId, name: 'Acme ATS', rights: ['keys'] });
   * const keys = await own.keys();
   */
  forPartner(access: PartnerAccess): PartnerView;
}
