import { OperatorError } from '@partner-hiring/core';
import type { Connection } from './connection.js';

const WHOLE: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/** Rejects an encoding that cannot store every name, because submissions would fail. */
export async function assertWholeEncoding({ statement }: Connection): Promise<void> {
  const { rows } = await statement("select pg_catalog.current_setting('server_encoding') as encoding", []);
  const { encoding } = rows[0] as { readonly encoding: string };
  if (WHOLE.has(encoding)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The database's encoding is ${encoding}, which cannot store every candidate's name. ` +
      "Use a database that was created with `create database … template template0 encoding 'UTF8'`.",
  );
}
