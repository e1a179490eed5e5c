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
  return quoted(schema, '`schema`');
}

/** The same of a role that rights are granted to. */
export function quotedRole(role: string): string {
  return quoted(role, '`grantTo`');
}

function quoted(given: unknown, option: string): string {
  const name = typeof given === 'string' ? given : '';
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME) {
    throw new OperatorError(
      'MISCONFIGURED',
      `${option} must be a name, a text of 1 to ${LONGEST_NAME} bytes.`,
    );
  }
  if (RESERVED.test(name)) {
    throw new OperatorError(
      'MISCONFIGURED',
      `PostgreSQL keeps the name ${name} for itself. Give ${option} one that does not begin with pg_ and is not $user.`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** PostgreSQL cuts longer names off, and says so only in a notice. */
const LONGEST_NAME = 63;

/** PostgreSQL makes no schema that begins so; in a search path `$user` is the schema named like the role. */
const RESERVED = /^(?:pg_|\$user$)/;
