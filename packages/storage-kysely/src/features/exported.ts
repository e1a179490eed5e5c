import { toSuccesses } from '../evidence/evidence-repository.js';
import {
  type ExportedSnapshot,
  type ExportedTable,
  exported,
  exportTables,
  type StoredRow,
} from '../export-rows.js';
import * as base from '../tables/index.js';
import { toReceived } from './inbox/inbox-receipts.js';
import * as features from './tables.js';

/**
 * What an export contains, in its order. Left out are hashes, sealed secrets, sessions, stored replies, counted rates,
 * workers, and what the library computes from other rows.
 */
const EXPORTED: readonly ExportedTable[] = [
  exported('partner', base.PARTNERS, ['id']),
  exported('key', base.PARTNER_KEYS, ['id']),
  exported('key_secret', base.KEY_SECRETS, ['hash'], { toValues: toSecret }),
  exported('company', base.COMPANIES, ['id'], { isShared: true }),
  exported('job', base.JOBS, ['id'], { isShared: true }),
  exported('access', base.ACCESS, ['key_id', 'company_id']),
  exported('key_job', base.KEY_JOBS, ['key_id', 'job_id']),
  exported('application', base.APPLICATIONS, ['id']),
  exported('resume_removal', features.RESUME_REMOVALS, ['application_id']),
  exported('endpoint', base.ENDPOINTS, ['key_id'], { toValues: toEndpoint }),
  exported('event', base.EVENTS, ['key_id', 'at']),
  exported('delivery', base.DELIVERIES, ['key_id', 'event_id']),
  exported('attempt', base.ATTEMPTS, ['key_id', 'event_id', 'number']),
  exported('delivery_success', base.DELIVERY_EVIDENCE, ['key_id', 'replaced', 'last_at', 'cycle'], {
    toValues: toDeliverySuccesses,
  }),
  exported('alert', features.ALERTS, ['id']),
  exported('inbox_entry', features.INBOX_ENTRIES, ['key_id', 'at', 'application_id']),
  exported('inbox_erasure', features.INBOX_ERASURES, ['application_id']),
  exported('inbox_receipt', features.INBOX_RECEIPTS, ['key_id', 'last_at'], { toValues: toReceived }),
  exported('operation', features.OPERATIONS, ['id']),
  exported('request', features.REQUESTS, ['request_id']),
  exported('request_read', features.REQUEST_READS, ['key_id', 'route', 'minute']),
  exported('readiness', features.READINESS, ['key_id', 'name']),
  exported('hour_count', base.HOUR_COUNTS, ['kind', 'key_id', 'hour', 'name']),
  // An entry has a row for each of its objects.
  exported('audit', features.AUDIT, ['id', 'number'], { where: 'number = 0' }),
];

function toSecret(row: StoredRow): readonly object[] {
  const { hash: _, ...secret } = base.KEY_SECRETS.toValue(row as never);
  return [secret];
}

function toEndpoint(row: StoredRow): readonly object[] {
  const { secrets: _, ...endpoint } = base.ENDPOINTS.toValue(row as never);
  return [endpoint];
}

function toDeliverySuccesses(row: StoredRow): readonly object[] {
  const { keyId, replaced } = base.DELIVERY_EVIDENCE.toValue(row as never);
  return [...toSuccesses(row as never).values()].map((success) => ({ keyId, ...success, replaced }));
}

/** Writes all rows of a snapshot, page by page. */
export function exportRows(snapshot: ExportedSnapshot): Promise<void> {
  return exportTables(EXPORTED, snapshot);
}
