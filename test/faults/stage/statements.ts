import type { Pool } from 'pg';

/** Records the statements of a pool. */
export function noteStatements(pool: Pool): string[] {
  const noted: string[] = [];
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [first] = args as [string | { readonly text: string }];
        noted.push(typeof first === 'string' ? first : first.text);
        return query(...args);
      },
    });
  });
  return noted;
}

/** Counts the writing statements by table. */
export function writesByTable(statements: readonly string[]): Readonly<Record<string, number>> {
  const writes: Record<string, number> = {};
  for (const text of statements) {
    const table = WRITES.exec(text)?.[1];
    if (table !== undefined) writes[table] = (writes[table] ?? 0) + 1;
  }
  return writes;
}

const WRITES = /\b(?:insert into|update|delete from) (?:"\w+"\.)?"(ph_\w+)"/;
