import type { LibraryTransactions } from '@partner-hiring/core';
import { isAnyError } from './is-error.js';
import { storageMisconfiguration } from './misconfiguration.js';

/**
 * Throws unless a condition on the host's handle holds. The types ensure it, so only JavaScript code can violate it.
 */
export function assertHandle(isRight: boolean, advice: string): void {
  if (isRight) return;
  throw storageMisconfiguration(`${advice} Nothing was changed.`);
}

export function hasMethod<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof Reflect.get(value, name) === 'function';
}

export function libraryTransactions<HostTx, Tx>(
  library: string,
  open: (run: (hostTx: HostTx, tx: Tx) => Promise<void>) => PromiseLike<unknown>,
): LibraryTransactions<HostTx, Tx> {
  return Object.assign(open, { library });
}

/** Advice for values that are not a transaction. Each entry recognizes one kind of value by its methods. */
export type HostAdvice = readonly (readonly [methods: readonly string[], advice: string])[];

/** Returns the advice of the first entry for which the value has all methods. Returns null if there is none. */
export function findAdvice(hostTx: unknown, entries: HostAdvice): string | null {
  return entries.find(([methods]) => methods.every((name) => hasMethod(hostTx, name)))?.[1] ?? null;
}

/** Returns whether a statement returns rows. */
export function returnsRows(sql: string): boolean {
  return HAS_ROWS.test(sql);
}

/** A union of several queries may begin with a parenthesis. */
const HAS_ROWS = /^\(*(?:select|with recursive)\b|\breturning\b/;

/**
 * Returns the driver's error inside an error of a host's library. The library's own message may quote parameters, which
 * are personal data.
 */
export function toDriverError(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const cause = causeOf(inner);
    if (cause === null) break;
    inner = cause;
  }
  return inner;
}

/** Libraries wrap an error once or twice. A cycle must end too. */
const DEEPEST = 8;

/** Drizzle uses `cause`, TypeORM `driverError`, MikroORM `previous`, Sequelize `original`. */
const WRAPPERS = ['driverError', 'original', 'previous', 'cause'];

function causeOf(error: unknown): Error | null {
  if (!isAnyError(error)) return null;
  for (const name of WRAPPERS) {
    const cause: unknown = Reflect.get(error, name);
    if (isAnyError(cause) && cause !== error) return cause;
  }
  return null;
}

/** Returns the database's error inside an error of Prisma, or the error itself. */
export function toPrismaCause(error: unknown, ofDatabase: object = {}): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Readonly<Record<string, unknown>> } } };
  const { originalCode: code, originalMessage } = meta?.driverAdapterError?.cause ?? {};
  return typeof code === 'string'
    ? Object.assign(new Error(String(originalMessage)), ofDatabase, { code })
    : error;
}

/** Removes what Knex puts before a message: the statement with all values, as in `insert … - duplicate key`. */
export function withoutStatement(error: unknown): unknown {
  if (!isAnyError(error)) return error;
  const start = error.message.lastIndexOf(SEPARATOR);
  return start < 0 ? error : Object.assign(new Error(error.message.slice(start + SEPARATOR.length)), error);
}

const SEPARATOR = ' - ';
