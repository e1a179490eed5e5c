import type { PartnerId, PortalPassKind, PortalRight } from '@partner-hiring/core/ports';
import { id, instant, json, oneOf, table, text } from '../table.js';

/** Links that sign in to the portal, and the sessions that follow. */
export const PORTAL_PASSES = table('ph_portal_pass', {
  hash: text(),
  kind: oneOf<PortalPassKind>(),
  partner_id: id<PartnerId>(),
  origin: text(),
  rights: json<readonly PortalRight[]>(),
  made_by: text(),
  created_at: instant(),
  expires_at: instant(),
});
