import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { isError } from '@partner-hiring/core/contract';
import { ConnectionError } from './connection-error.js';
import type { DatabaseTarget } from './database-target.js';
import { createRedactor } from './redact.js';

/**
 * Returns one line about an error of the database, with its fix and without the password. Returns null for other
 * errors, such as a command that the operator refuses.
 */
export function describeDatabaseError(error: unknown, target: DatabaseTarget): string | null {
  if (error instanceof ConnectionError) return error.message;
  if (!isError(error)) return null;
  if (isDriverUnloadable(error)) {
    const reason = error.message.replace(/ Tried:.*$/s, '').replace(/\s+/g, ' ');
    return `Cannot load better-sqlite3: ${reason} Run npm rebuild better-sqlite3 with the Node version that runs this program.`;
  }
  if (error instanceof OperatorError) return describeTables(error.message, target);
  if (!isOutage(error)) return null;
  return target.kind === 'postgres' ? describePostgres(error, target) : describeSqlite(error, target);
}

/** The driver fails to load after a change of the Node version, or if install scripts did not run. */
function isDriverUnloadable(error: Error): boolean {
  return (
    codeOf(error) === 'ERR_DLOPEN_FAILED' || error.message.startsWith('Could not locate the bindings file')
  );
}

/** Returns whether the error is from the storage, its driver or the system. */
function isOutage(error: Error): boolean {
  return error instanceof StorageUnavailable || /^(?:SQLITE_|E[A-Z0-9]+$)/.test(codeOf(error));
}

/** The storages name the fix for a program. On the command line, the fix is a command. */
const TABLES = /^(.*) (has no tables of the partner API|lacks migrations of this release)\./;

function describeTables(message: string, { kind, source }: DatabaseTarget): string | null {
  const [, where, problem] = TABLES.exec(message) ?? [];
  if (where === undefined || problem === undefined) return null;
  if (problem.startsWith('lacks')) {
    return `${where} ${problem}. Run: partner-hiring migrate. A server of this release also migrates at its start.`;
  }
  const check = kind === 'postgres' ? 'If they are in another schema, pass --schema.' : `Check ${source}.`;
  return `${where} ${problem}. ${check} To create them, run: partner-hiring migrate`;
}

type PostgresTarget = Extract<DatabaseTarget, { kind: 'postgres' }>;

function describePostgres(error: Error, { source, connectionString }: PostgresTarget): string {
  const redact = createRedactor(connectionString);
  const message = error.message.replaceAll('the connection string', source);
  const { cause } = error;
  const isMore = isError(cause) && isFromServer(cause) && !message.includes(cause.message);
  return redact(isMore ? `${message} Reason: ${reasonOf(cause)}.` : message);
}

function describeSqlite(error: Error, { file, source }: Extract<DatabaseTarget, { kind: 'sqlite' }>): string {
  const reason = isError(error.cause) ? reasonOf(error.cause) : reasonOf(error);
  if (/not a database/.test(reason)) return `${file} is not a SQLite database. Check ${source}.`;
  if (/malformed/.test(reason)) return `${file} is damaged: ${reason}. Restore it from a backup.`;
  if (/locked/.test(reason)) {
    return `Another process is writing to ${file}. Try again later, or stop that process.`;
  }
  return `Cannot use ${file}: ${reason}. Check ${source}, and that this user may write to the file and its folder.`;
}

/** Returns the message of an error. If connecting to several addresses failed, it joins the messages of these errors. */
function reasonOf(error: Error): string {
  const parts = 'errors' in error && Array.isArray(error.errors) ? error.errors : [];
  const messages = [error.message, ...parts.map((part) => (isError(part) ? part.message : ''))];
  const text = messages.filter((message) => message !== '').join(', ') || codeOf(error);
  return text.replace(/\s+/g, ' ').replace(/\.$/, '');
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Errors of PostgreSQL have a severity, errors of the network have none. */
function isFromServer(error: Error): boolean {
  return 'severity' in error;
}
