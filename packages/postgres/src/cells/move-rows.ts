import type { ServerConnection } from '../connection.js';
import { quotedSchema } from '../schema-name.js';
import { FREE_TABLES, LOCKED_TABLES, type PartnerTable } from './partner-tables.js';

/**
 * Moves all rows of a partner to another schema, within an open transaction. Locks the partner and its keys first: other
 * transactions then cannot add rows that refer to them.
 * @returns the number of moved rows.
 */
export async function moveRows(
  connection: ServerConnection,
  partnerId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> {
  let keys = '[]';
  const run = async ({ by }: PartnerTable, sql: string) => {
    const { rows } = await connection.statement(sql, [by === 'partner' ? partnerId : keys]);
    return (rows[0] as { readonly count: number } | undefined)?.count ?? 0;
  };
  const lock = (each: PartnerTable) =>
    run(
      each,
      `select count(*) as count from (select 1 from ${tableIn(from, each)} where ${rowsIn(from, each)} for update) as locked`,
    );

  keys = await keysOf(connection, partnerId, from);
  // Locks the feed head first, because submissions wait for it in turn. They wait for the key only if its lock is
  // already taken.
  for (const each of LOCKED_TABLES) if (each.table === 'ph_feed_head') await lock(each);
  for (const each of LOCKED_TABLES) {
    await lock(each);
    // A key may have been added before the partner was locked.
    if (each.table === 'ph_partner_key') keys = await keysOf(connection, partnerId, from);
  }
  let moved = 0;
  for (const each of LOCKED_TABLES) {
    const columns = await columnsOf(connection, from, each);
    moved += await run(
      each,
      `with copied as (insert into ${tableIn(to, each)} (${columns}) ` +
        `select ${columns} from ${tableIn(from, each)} where ${rowsIn(from, each)} returning 1) ` +
        'select count(*) as count from copied',
    );
  }
  for (const each of [...LOCKED_TABLES].reverse()) {
    await run(each, `delete from ${tableIn(from, each)} where ${rowsIn(from, each)}`);
  }
  for (const each of FREE_TABLES) {
    const columns = await columnsOf(connection, from, each);
    // Others may add such rows at any time, so exactly the deleted ones are copied.
    moved += await run(
      each,
      `with gone as (delete from ${tableIn(from, each)} where ${rowsIn(from, each)} returning *), ` +
        `copied as (insert into ${tableIn(to, each)} (${columns}) select ${columns} from gone ` +
        'on conflict do nothing returning 1) select count(*) as count from copied',
    );
  }
  return moved;
}

function tableIn(schema: string, { table }: PartnerTable): string {
  return `${quotedSchema(schema)}.${table}`;
}

function rowsIn(schema: string, { rows }: PartnerTable): string {
  return rows.replaceAll('{schema}', quotedSchema(schema));
}

/** Returns the ids of the partner's keys, as JSON. */
async function keysOf(connection: ServerConnection, partnerId: string, schema: string): Promise<string> {
  const { rows } = await connection.statement(
    `select id from ${quotedSchema(schema)}.ph_partner_key where partner_id = $1`,
    [partnerId],
  );
  return JSON.stringify((rows as readonly { readonly id: string }[]).map(({ id }) => id));
}

/** Returns the columns that an insert may set, so that a newer release's columns move too. */
async function columnsOf(connection: ServerConnection, schema: string, of: PartnerTable): Promise<string> {
  const { rows } = await connection.statement(
    "select pg_catalog.string_agg(pg_catalog.quote_ident(attname), ', ' order by attnum) as columns from pg_attribute " +
      "where attrelid = pg_catalog.to_regclass($1)::oid and attnum > 0 and not attisdropped and attgenerated = ''",
    [tableIn(schema, of)],
  );
  return (rows[0] as { readonly columns: string }).columns;
}
