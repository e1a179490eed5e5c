import type { ConnectionOptions } from 'node:tls';
import { isAnyError, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { assertCertificateFiles, type PostgresTls, readTls, withoutTlsParameters } from './tls.js';

export type ServerRole = 'any' | 'primary' | 'read-write';

export interface Hosts {
  readonly addresses: readonly [string, ...string[]];
  readonly role: ServerRole;
  /** The option `ssl` of `pg`; undefined leaves TLS to the addresses. */
  readonly ssl: boolean | ConnectionOptions | undefined;
}

/** Parses a list of hosts like libpq. With several hosts, `target_session_attrs` defaults to `read-write`. */
export function readHosts(given: string, tls?: boolean | PostgresTls): Hosts {
  const ssl = readTls(tls);
  const connectionString =
    ssl === undefined || typeof given !== 'string' ? given : withoutTlsParameters(given);
  const [first, ...others] = addressesIn(connectionString);
  for (const address of [first, ...others]) assertReadable(address);
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(connectionString)?.[1] ?? '');
  if (parameters.get('host')?.includes(',')) throw storageMisconfiguration(HOSTS_BELONG_IN_FRONT);
  const fallback = others.length === 0 ? 'any' : 'read-write';
  const role = roleOf(parameters.get('target_session_attrs'), fallback);
  return { addresses: [first, ...others], role, ssl };
}

/** Returns how `pg` connects to one of the hosts. */
export function configOf({ ssl }: Pick<Hosts, 'ssl'>, address: string): ClientConfig {
  return { connectionString: address, ...(ssl === undefined ? {} : { ssl }) };
}

const HOSTS_BELONG_IN_FRONT =
  'The parameter `host` of the connectionString names several hosts, but `pg` reads them as one name. ' +
  'Write the hosts in front of the database: postgres://user:password@db1:5432,db2:5432/database.';

/** Captures three parts of a connection string: the scheme with the credentials, the hosts, and the rest. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(?![^/?#])(.*)$/is;

function addressesIn(connectionString: string): readonly [string, ...string[]] {
  const [, before, hosts, behind] = PARTS.exec(connectionString) ?? [];
  if (before === undefined || hosts === undefined || behind === undefined) return [connectionString];
  const [first, ...others] = hosts.split(',').map((host) => {
    if (host !== '') return `${before}${host}${behind}`;
    throw storageMisconfiguration(
      'A host in the connectionString is empty. Separate hosts by one comma: postgres://user:password@db1:5432,db2:5432/database.',
    );
  });
  return first === undefined ? [connectionString] : [first, ...others];
}

const ROLES: readonly ServerRole[] = ['any', 'primary', 'read-write'];

function roleOf(given: string | null, fallback: ServerRole): ServerRole {
  if (given === null) return fallback;
  const role = ROLES.find((known) => known === given);
  if (role !== undefined) return role;
  throw storageMisconfiguration(
    `target_session_attrs in the connectionString is '${given}'. It must be 'read-write', 'primary' or 'any'. ` +
      'The storage writes, so it cannot run on a standby.',
  );
}

const EMPTY =
  '`connectionString` is empty. If it comes from an environment variable such as DATABASE_URL, that variable is not set. ' +
  'To connect with PGHOST and the other variables that pg reads, pass `pool: new Pool()` instead.';

/**
 * Matches a URL, or one of the two forms of a Unix socket. `pg` reads any other text as the name of a database, and its
 * errors repeat that name.
 */
const FORMS = /^(?:postgres(?:ql)?:\/\/|socket:|\/(?!\/))/i;

const OTHER_FORM =
  '`connectionString` must be postgres://user:password@host:port/database, without quotes around it and without `jdbc:`. Write ' +
  'key=value settings as a URL. The message does not repeat the text, because it may contain a password.';

/**
 * Matches an `@` or `#` behind the host. `pg` would read a part of the password as the name of the host or the
 * database, and its errors would repeat it. The value of a parameter may contain an `@`.
 */
const SPLIT_PASSWORD = /^postgres(?:ql)?:\/\/[^/?#]*(?:#|\/[^?]*[@#]|(?:\/[^?]*)?\?[^=]*@)/i;

const ENCODE =
  'The connectionString must be postgres://user:password@host:port/database. It has an @ or a # behind its host: characters of the ' +
  'user and the password that have a meaning in a URL must be percent-encoded, # as %23, / as %2F, ? as %3F and @ as %40.';

/**
 * Throws if `pg` cannot parse the connection string. Otherwise an invalid one would be retried like an
 * outage, and `pg` would read an empty one as a local database.
 */
export function assertReadable(connectionString: string): void {
  const given: unknown = connectionString ?? '';
  if (typeof given !== 'string') {
    throw storageMisconfiguration(
      '`connectionString` must be text. If you have a URL object, pass its `href`.',
    );
  }
  if (given.trim() === '') throw storageMisconfiguration(EMPTY);
  if (!FORMS.test(given)) throw storageMisconfiguration(OTHER_FORM);
  if (SPLIT_PASSWORD.test(given)) throw storageMisconfiguration(ENCODE);
  assertCertificateFiles(given);
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const reason = isAnyError(error) ? error.message : String(error);
    throw storageMisconfiguration(
      `pg cannot read the connectionString (${reason}). It must be postgres://user:password@host:port/database. ` +
        'Characters of the password that have a meaning in a URL, such as # or /, must be percent-encoded.',
    );
  }
}
