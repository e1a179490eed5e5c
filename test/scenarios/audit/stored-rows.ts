import type { Host } from '@partner-hiring/test-support/storages';

const LIST_TABLES =
  process.env.STORAGE === 'postgres'
    ? `select table_name as name from information_schema.tables where table_schema = current_schema() order by 1`
    : `select name from sqlite_schema where type = 'table' order by 1`;

/** Returns each stored row as text, by table, in a fixed order. */
export async function readStoredRows(host: Host): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = (await host.rows(LIST_TABLES)) as readonly { readonly name: string }[];
  const stored = new Map<string, readonly string[]>();
  for (const { name } of tables.filter((table) => table.name.startsWith('ph_'))) {
    const rows = await host.rows(`select * from ${name}`);
    stored.set(name, rows.map((row) => JSON.stringify(row)).sort());
  }
  return stored;
}

/** Returns the stored rows without those of the audit. */
export async function readChangedRows(host: Host): Promise<string> {
  const stored = new Map(await readStoredRows(host));
  stored.delete('ph_audit');
  // A count against a limit is no change.
  stored.delete('ph_rate_window');
  return JSON.stringify([...stored]);
}
