import type { PartnerId, PortalPassKind, PortalRight } from '@partner-hiring/core/ports';
import { choiceColumn, idColumn, instantColumn, json, table, textColumn } from '../../table.js';
import { NOT_EXPORTED, rowsOf } from '../../table-rows.js';

/** Links that sign in to the portal, and the sessions that follow. */
export const PORTAL_PASSES = table('ph_portal_pass', rowsOf(null, NOT_EXPORTED), {
  hash: textColumn(),
  kind: choiceColumn<PortalPassKind>(),
  partner_id: idColumn<PartnerId>(),
  origin: textColumn(),
  rights: json<readonly PortalRight[]>(),
  made_by: textColumn(),
  created_at: instantColumn(),
  expires_at: instantColumn(),
});
