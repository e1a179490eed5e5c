/** A table with rows of partners. */
export interface PartnerTable {
  readonly table: string;
  /** A condition. `$1` is the partner's id, or the ids of its keys as JSON. `{schema}` is the schema. */
  readonly rows: string;
  readonly by: 'partner' | 'keys';
}

const KEYS = 'select pg_catalog.json_array_elements_text($1::json)';

const ofKeys = (table: string): PartnerTable => ({ table, rows: `key_id in (${KEYS})`, by: 'keys' });

/**
 * The tables whose rows refer to a key, directly or through other tables. A lock on the key therefore keeps new rows
 * out. Each table comes after the tables that it references.
 */
export const LOCKED_TABLES: readonly PartnerTable[] = [
  { table: 'ph_partner', rows: 'id = $1', by: 'partner' },
  { table: 'ph_name_word', rows: 'id = $1', by: 'partner' },
  { table: 'ph_partner_key', rows: 'partner_id = $1', by: 'partner' },
  ofKeys('ph_key_secret'),
  ofKeys('ph_access'),
  ofKeys('ph_feed_head'),
  ofKeys('ph_inbox_head'),
  ofKeys('ph_endpoint'),
  ofKeys('ph_key_job'),
  ofKeys('ph_application'),
  ofKeys('ph_idempotency'),
  ofKeys('ph_event'),
  ofKeys('ph_delivery'),
  ofKeys('ph_attempt'),
  ofKeys('ph_resume_task'),
  {
    table: 'ph_resume_removal',
    rows: `application_id in (select id from {schema}.ph_application where key_id in (${KEYS}))`,
    by: 'keys',
  },
];

/**
 * The other tables. A transaction that adds inbox entries, receipts, evidence or alerts has locked a row of the tables
 * above. The last four tables are logs and counts, to which any transaction may add at any time.
 */
export const FREE_TABLES: readonly PartnerTable[] = [
  ofKeys('ph_inbox_entry'),
  ofKeys('ph_inbox_erasure'),
  ofKeys('ph_inbox_receipt'),
  ofKeys('ph_delivery_evidence'),
  ofKeys('ph_alert'),
  ofKeys('ph_request'),
  ofKeys('ph_request_read'),
  ofKeys('ph_readiness'),
  { table: 'ph_rate_window', rows: `pg_catalog.split_part(bucket_id, ':', 2) in (${KEYS})`, by: 'keys' },
];
