import { hasMethod, storageMisconfiguration } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';

export function assertPool(pool: unknown): void {
  if (hasMethod(pool, 'connect') && 'idleCount' in pool) return;
  throw storageMisconfiguration(
    '`pool` must be a pool of pg: create `new Pool({ connectionString })` before you open the storage.',
  );
}

/**
 * Returns whether the value is a `pg` client. Transactions of other libraries may have a `query` method too,
 * but not `getTypeParser`.
 */
export function isClient(value: unknown): value is ClientBase {
  return hasMethod(value, 'query') && hasMethod(value, 'getTypeParser');
}

/** Rejects pg-native and `binary: true`, which ignore the parsers that the statements need. */
export function assertReadsText(client: ClientBase): void {
  if (!('native' in client) && !('binary' in client && client.binary === true)) return;
  throw storageMisconfiguration(
    'The connection uses pg-native or `binary: true`, whose results the storage cannot read. ' +
      'Use `Pool` or `Client` of pg, without that option.',
  );
}

interface Connected {
  readonly connection?: {
    readonly parsedStatements?: Readonly<Record<string, string>>;
    readonly stream?: { destroy(): void };
  };
}

/**
 * Closes the socket at once. Otherwise a pipelining client waits for every result first, and its pool cannot
 * replace it meanwhile.
 */
export function closeSocket(client: object): void {
  (client as Connected).connection?.stream?.destroy();
}

export function hasPrepared(client: object, name: string): boolean {
  return (client as Connected).connection?.parsedStatements?.[name] !== undefined;
}
