import { OperatorError } from '@partner-hiring/core';

/** Where the tables lie unless the host says otherwise. */
export const DEFAULT_SCHEMA = 'partner_hiring';

/**
 * A schema's name as SQL has it, in quotes.
 *
 * @throws OperatorError `MISCONFIGURED` for a name that the server would cut off, takes for another, or keeps for
 *   itself, or that is none.
 */
export function quotedSchema(schema: string): string {
  if (schema === '' || schema.includes('\0') || Buffer.byteLength(schema) > LONGEST_NAME) {
    throw new OperatorError('MISCONFIGURED', `The schema's name must have 1 to ${LONGEST_NAME} bytes.`);
  }
  if (RESERVED.test(schema)) {
    throw new OperatorError(
      'MISCONFIGURED',
      `PostgreSQL keeps the name ${schema} for itself. Give the schema one that does not begin with pg_ and is not $user.`,
    );
  }
  return `"${schema.replaceAll('"', '""')}"`;
}

/** PostgreSQL cuts longer names off, and says so only in a notice. */
const LONGEST_NAME = 63;

/** PostgreSQL makes no schema that begins so; in a search path `$user` is the schema named like the role. */
const RESERVED = /^(?:pg_|\$user$)/;
