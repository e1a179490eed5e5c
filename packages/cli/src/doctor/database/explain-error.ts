import { isError } from '@partner-hiring/core/contract';
import { ConnectionError } from '../../connection/connection-error.js';
import { type Finding, failed } from '../report.js';

interface ErrorContext {
  /** The database for people, without its password. */
  readonly place: string;
  readonly redact: (text: string) => string;
  /** Returns what the storage says about an outage, or null. */
  readonly explain: (error: unknown) => { readonly finding: string; readonly fix: string } | null;
}

/** Turns the error of a check into a finding: the cause, and how to fix it. */
export function explainError(error: unknown, { place, redact, explain }: ErrorContext): Finding {
  const outage = explain(error);
  if (outage !== null) return failed(redact(outage.finding), redact(outage.fix));
  const reason = rootOf(error);
  const code = codeOf(reason);
  const known = EXPLANATIONS.find(({ codes }) => codes.test(code ?? ''));
  const message = redact(isError(reason) ? reason.message : String(reason));
  if (chainOf(error).some((each) => /timeout|timed out|did not answer/i.test(each.message))) {
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

/** By the code of PostgreSQL or SQLite. The storage explains its own connections. */
const EXPLANATIONS = [
  {
    codes: /^42501$/,
    finding: 'The role has no right to read this.',
    fix: 'See the check `rights`. Grant the missing rights, and run the doctor again.',
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
  return isError(error) && error.cause !== undefined && codeOf(error) !== 'MISCONFIGURED'
    ? rootOf(error.cause)
    : error;
}

function chainOf(error: unknown): readonly Error[] {
  return isError(error) ? [error, ...chainOf(error.cause)] : [];
}

function codeOf(error: unknown): string | null {
  if (!isError(error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
