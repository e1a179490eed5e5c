import { toSuccesses } from './evidence/evidence-repository.js';
import { ALERTS } from './features/alerts/table.js';
import { AUDIT } from './features/audit/table.js';
import { INBOX_ENTRIES, INBOX_ERASURES, INBOX_RECEIPTS } from './features/inbox/table.js';
import { OPERATIONS } from './features/operations/table.js';
import { READINESS } from './features/readiness/table.js';
import { REQUEST_READS, REQUESTS } from './features/request-log/table.js';
import { RESUME_REMOVALS } from './features/resumes/table.js';
import {
  ACCESS,
  APPLICATIONS,
  ATTEMPTS,
  COMPANIES,
  DELIVERIES,
  DELIVERY_EVIDENCE,
  ENDPOINTS,
  EVENTS,
  HOUR_COUNTS,
  JOBS,
  KEY_JOBS,
  KEY_SECRETS,
  PARTNER_KEYS,
  PARTNERS,
} from './tables/index.js';

/** A row of an export: its kind, and the fields as the library names them. Instants are milliseconds since 1970. */
export interface ExportedRow {
  readonly kind: string;
  readonly value: object;
}

type StoredRow = Readonly<Record<string, unknown>>;

/** A snapshot of a database. */
export interface ExportedSnapshot {
  /** What to write before the names of tables, for each part of the database. The first part has the shared rows. */
  readonly prefixes: readonly string[];
  readonly rows: (
    sql: string,
    values: readonly unknown[],
  ) => Promise<readonly StoredRow[]> | readonly StoredRow[];
  /** Writes a page of rows of one kind. */
  readonly write: (rows: readonly ExportedRow[]) => Promise<void>;
}

interface ExportedTable {
  readonly kind: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** The primary key, so that a page continues after the last row of the one before. */
  readonly key: readonly string[];
  readonly toValues: (row: StoredRow) => readonly object[];
  /** Whether each part of the database has all rows. */
  readonly isShared: boolean;
  readonly where: string | null;
}

interface AnyTable {
  readonly name: string;
  readonly shape: object;
  readonly toValue: (row: never) => object;
}

function exported(
  kind: string,
  { name, shape, toValue }: AnyTable,
  key: readonly string[],
  changes: Partial<ExportedTable> = {},
): ExportedTable {
  const toValues = (row: StoredRow) => [toValue(row as never)];
  return { kind, name, columns: Object.keys(shape), key, toValues, isShared: false, where: null, ...changes };
}

/**
 * What an export contains, in its order. Left out are hashes, sealed secrets, sessions, stored replies, counted rates,
 * workers, and what the library computes from other rows.
 */
const EXPORTED: readonly ExportedTable[] = [
  exported('partner', PARTNERS, ['id']),
  exported('key', PARTNER_KEYS, ['id']),
  exported('key_secret', KEY_SECRETS, ['hash'], { toValues: toSecret }),
  exported('company', COMPANIES, ['id'], { isShared: true }),
  exported('job', JOBS, ['id'], { isShared: true }),
  exported('access', ACCESS, ['key_id', 'company_id']),
  exported('key_job', KEY_JOBS, ['key_id', 'job_id']),
  exported('application', APPLICATIONS, ['id']),
  exported('resume_removal', RESUME_REMOVALS, ['application_id']),
  exported('endpoint', ENDPOINTS, ['key_id'], { toValues: toEndpoint }),
  exported('event', EVENTS, ['key_id', 'at']),
  exported('delivery', DELIVERIES, ['key_id', 'event_id']),
  exported('attempt', ATTEMPTS, ['key_id', 'event_id', 'number']),
  exported('delivery_success', DELIVERY_EVIDENCE, ['key_id', 'replaced', 'last_at', 'cycle'], {
    toValues: toDeliverySuccesses,
  }),
  exported('alert', ALERTS, ['id']),
  exported('inbox_entry', INBOX_ENTRIES, ['key_id', 'at', 'application_id']),
  exported('inbox_erasure', INBOX_ERASURES, ['application_id']),
  exported('inbox_receipt', INBOX_RECEIPTS, ['key_id', 'last_at'], { toValues: toReceipts }),
  exported('operation', OPERATIONS, ['id']),
  exported('request', REQUESTS, ['request_id']),
  exported('request_read', REQUEST_READS, ['key_id', 'route', 'minute']),
  exported('readiness', READINESS, ['key_id', 'name']),
  exported('hour_count', HOUR_COUNTS, ['kind', 'key_id', 'hour', 'name']),
  // An entry has a row for each of its objects.
  exported('audit', AUDIT, ['id', 'number'], { where: 'number = 0' }),
];

function toSecret(row: StoredRow): readonly object[] {
  const { hash: _, ...secret } = KEY_SECRETS.toValue(row as never);
  return [secret];
}

function toEndpoint(row: StoredRow): readonly object[] {
  const { secrets: _, ...endpoint } = ENDPOINTS.toValue(row as never);
  return [endpoint];
}

function toDeliverySuccesses(row: StoredRow): readonly object[] {
  const { keyId, replaced } = DELIVERY_EVIDENCE.toValue(row as never);
  return [...toSuccesses(row as never).values()].map((success) => ({ keyId, ...success, replaced }));
}

function toReceipts(row: StoredRow): readonly object[] {
  const { keyId, firstAt, receivedAt, body } = INBOX_RECEIPTS.toValue(row as never);
  return body.map(([sinceFirst, item, applicationId]) => ({
    keyId,
    item,
    applicationId,
    at: firstAt + sinceFirst,
    receivedAt,
  }));
}

/** Rows of a page. More would need more memory, and are hardly faster. */
const PAGE = 100;

/** Writes all rows of a snapshot, page by page. */
export async function exportRows({ prefixes, rows, write }: ExportedSnapshot): Promise<void> {
  for (const table of EXPORTED) {
    const { kind, key, toValues, isShared } = table;
    for (const prefix of isShared ? prefixes.slice(0, 1) : prefixes) {
      let page = await rows(selectPage(table, prefix, true), []);
      while (page.length > 0) {
        await write(page.flatMap((row) => toValues(row).map((value) => ({ kind, value }))));
        const last = page.at(-1);
        page = await rows(
          selectPage(table, prefix, false),
          key.map((column) => last?.[column]),
        );
      }
    }
  }
}

function selectPage({ name, columns, key, where }: ExportedTable, prefix: string, isFirst: boolean): string {
  const holes = key.map((_, index) => `$${index + 1}`).join(', ');
  const filters = [
    ...(where === null ? [] : [where]),
    ...(isFirst ? [] : [`(${key.join(', ')}) > (${holes})`]),
  ];
  return [
    `select ${columns.join(', ')} from ${prefix}${name}`,
    ...(filters.length === 0 ? [] : [`where ${filters.join(' and ')}`]),
    `order by ${key.join(', ')} limit ${PAGE}`,
  ].join(' ');
}
