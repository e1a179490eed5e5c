import { storageMisconfiguration } from '@partner-hiring/storage-kysely';

export const DEFAULT_SCHEMA = 'partner_hiring';

export function quotedSchema(schema: string): string {
  return quoted(schema, '`schema`');
}

export function quotedRole(role: string): string {
  return quoted(role, '`grantTo`');
}

function quoted(given: unknown, option: string): string {
  const name = typeof given === 'string' ? given : '';
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > LONGEST_NAME) {
    throw storageMisconfiguration(`${option} must be a name of 1 to ${LONGEST_NAME} bytes.`);
  }
  if (RESERVED.test(name)) {
    throw storageMisconfiguration(
      `PostgreSQL reserves the name ${name}. Set ${option} to a name that does not start with pg_ and is not $user.`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** The limit of PostgreSQL, which truncates longer names with only a notice. */
const LONGEST_NAME = 63;

/**
 * Matches names that begin with PostgreSQL's reserved prefix, and `$user`, which in a search path means the
 * role's schema.
 */
const RESERVED = /^(?:pg_|\$user$)/;
