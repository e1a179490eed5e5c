import { OperatorError } from '@partner-hiring/core';
import pg from 'pg';
import { assertCertificateFiles } from './tls.js';

const EMPTY =
  '`connectionString` is empty. If it comes from an environment variable such as DATABASE_URL, that variable is not set. ' +
  'To connect with PGHOST and the other variables that pg reads, pass `pool: new Pool()` instead.';

/** A URL, or the two forms of a Unix socket. `pg` reads every other text as the name of a database, and errors repeat it. */
const FORMS = /^(?:postgres(?:ql)?:\/\/|socket:|\/(?!\/))/i;

const OTHER_FORM =
  '`connectionString` must be postgres://user:password@host:port/database, without quotes around it and without `jdbc:`. Write ' +
  'key=value settings as a URL. The message does not repeat the text, because it may contain a password.';

/**
 * An `@` behind the host: `pg` would read a part of the password as the name of the host or of the database, and errors
 * would repeat it. A parameter's value may have one.
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
    throw new OperatorError(
      'MISCONFIGURED',
      '`connectionString` must be text. If you have a URL object, pass its `href`.',
    );
  }
  if (given.trim() === '') throw new OperatorError('MISCONFIGURED', EMPTY);
  if (!FORMS.test(given)) throw new OperatorError('MISCONFIGURED', OTHER_FORM);
  if (SPLIT_PASSWORD.test(given)) throw new OperatorError('MISCONFIGURED', ENCODE);
  assertCertificateFiles(given);
  try {
    new pg.Client({ connectionString });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(
      'MISCONFIGURED',
      `pg cannot read the connectionString (${reason}). It must be postgres://user:password@host:port/database. ` +
        'Characters of the password that have a meaning in a URL, such as # or /, must be percent-encoded.',
    );
  }
}
