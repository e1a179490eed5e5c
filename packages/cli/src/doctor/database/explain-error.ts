import { ConnectionError } from '../../connection/connection-error.js';
import { type Finding, failed } from '../report.js';

/** Turns the error of a check into a finding: the cause, and how to fix it. */
export function explainError(error: unknown, place: string, redact: (text: string) => string): Finding {
  const reason = rootOf(error);
  const code = codeOf(reason);
  const known = EXPLANATIONS.find(({ codes }) => codes.test(code ?? ''));
  const message = redact(reason instanceof Error ? reason.message : String(reason));
  if (chainOf(error).some((each) => isTimeout(each.message))) {
    return failed(
      `${place} did not answer in time.`,
      'Check the network, the firewall and the load of the server.',
    );
  }
  if (error instanceof ConnectionError)
    return failed('The packages of the storage are missing.', error.message);
  if (known === undefined)
    return failed(`${place}: ${message}`, 'Fix the reported cause, and run the doctor again.');
  return failed(`${known.finding} (${place}: ${message})`, known.fix);
}

interface Explanation {
  readonly codes: RegExp;
  readonly finding: string;
  readonly fix: string;
}

/** By the code of PostgreSQL, SQLite or the network. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    codes: /^28/,
    finding: 'The server refuses the user or the password.',
    fix: 'Correct both in the URL. Percent-encode characters such as # or / in the password. Check pg_hba.conf.',
  },
  {
    codes: /^3D000$/,
    finding: 'The database does not exist.',
    fix: 'Create it with `create database`, or correct its name in the URL.',
  },
  {
    codes: /^53300$/,
    finding: 'All connections of the server are in use.',
    fix: 'Lower the pools of your processes, or raise `max_connections`.',
  },
  {
    codes: /^57P0[123]$/,
    finding: 'The server is starting or stopping.',
    fix: 'Wait until it accepts connections, and run the doctor again.',
  },
  {
    codes: /^42501$/,
    finding: 'The role has no right to read this.',
    fix: 'See the check `rights`. Grant the missing rights, and run the doctor again.',
  },
  {
    codes: /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET)$/,
    finding: 'The server cannot be reached.',
    fix: 'Check the host and the port in the URL, the firewall, and that the server runs.',
  },
  {
    codes: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|CERT_|UNABLE_TO_|ERR_TLS)/,
    finding: "The server's certificate is not trusted.",
    fix: 'Add `sslrootcert` to the URL, or set NODE_EXTRA_CA_CERTS to the certificate of its authority.',
  },
  {
    codes: /^SQLITE_(?:BUSY|LOCKED)/,
    finding: 'Another process has locked the file.',
    fix: 'Find it with `fuser FILE`, and end its transaction.',
  },
  {
    codes: /^SQLITE_NOTADB/,
    finding: 'The file is not a SQLite database.',
    fix: 'Pass the path of the database file, or restore it from a backup.',
  },
  {
    codes: /^SQLITE_CORRUPT/,
    finding: 'The file is damaged.',
    fix: 'Stop all processes, and restore the file from a backup.',
  },
  {
    codes: /^SQLITE_(?:CANTOPEN|READONLY|IOERR|PERM)/,
    finding: 'The file cannot be opened.',
    fix: 'Let the user of this process read the file, and write its folder.',
  },
];

/** Returns the innermost cause: the errors around it are for the logs of a host. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined && !isMisconfigured(error)
    ? rootOf(error.cause)
    : error;
}

function chainOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...chainOf(error.cause)] : [];
}

function isMisconfigured(error: Error): boolean {
  return codeOf(error) === 'MISCONFIGURED';
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

function isTimeout(message: string): boolean {
  return /timeout|timed out|did not answer/i.test(message);
}
