import { type RowOwner, STORED_TABLES } from '@partner-hiring/storage-kysely';

/** A table with rows of partners. */
export interface PartnerTable {
  readonly table: string;
  /** A condition. `$1` is the partner's id, or the ids of its keys as JSON. `{schema}` is the schema. */
  readonly rows: string;
  readonly by: 'partner' | 'keys';
}

const KEYS = 'select pg_catalog.json_array_elements_text($1::json)';

/** The tables of these owners, in their order. Those of one owner have the order of all tables. */
function tablesOf(...owners: readonly RowOwner[]): readonly PartnerTable[] {
  return owners.flatMap((owner) =>
    STORED_TABLES.filter(({ rows }) => rows.owner === owner).map(({ name, shape }): PartnerTable => {
      if (owner !== 'partner') return { table: name, rows: rowsOfKeys(name, shape), by: 'keys' };
      return { table: name, rows: `${'partner_id' in shape ? 'partner_id' : 'id'} = $1`, by: 'partner' };
    }),
  );
}

function rowsOfKeys(table: string, shape: object): string {
  if (table === 'ph_rate_window') return `pg_catalog.split_part(bucket_id, ':', 2) in (${KEYS})`;
  if ('key_id' in shape) return `key_id in (${KEYS})`;
  return `application_id in (select id from {schema}.ph_application where key_id in (${KEYS}))`;
}

/**
 * The tables whose rows refer to a key, directly or through other tables. A lock on the key therefore keeps new rows
 * out. Each table comes after the tables that it references.
 */
export const LOCKED_TABLES = tablesOf('partner', 'key', 'feed', 'application');

/**
 * The other tables. A transaction that adds inbox entries, receipts, evidence or alerts has locked a row of the tables
 * above. The last tables are logs and counts, to which any transaction may add at any time.
 */
export const FREE_TABLES = tablesOf('inbox', 'log');
