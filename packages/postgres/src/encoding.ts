import { OperatorError } from '@partner-hiring/core';
import type { Connection } from './connection.js';

/** Those in which the server keeps any text as it was sent. */
const WHOLE: ReadonlySet<string> = new Set(['UTF8', 'SQL_ASCII']);

/**
 * A name that the database's encoding lacks would be refused each time it is submitted, as a bug of ours.
 *
 * @throws OperatorError `MISCONFIGURED` for an encoding that lacks any.
 */
export async function assertWholeEncoding({ statement }: Connection): Promise<void> {
  const { rows } = await statement("select current_setting('server_encoding') as encoding", []);
  const { encoding } = rows[0] as { readonly encoding: string };
  if (WHOLE.has(encoding)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The database's encoding is ${encoding}, which cannot hold every candidate's name. Use one that was made with ` +
      "`create database … template template0 encoding 'UTF8'`.",
  );
}
