import { OperatorError } from '@partner-hiring/core';
import type { ClientBase } from 'pg';

/**
 * What JavaScript lets through in the place of a pool: nothing, its options, a single connection.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function assertPool(pool: unknown): void {
  if (hasMethod(pool, 'connect') && 'idleCount' in pool) return;
  throw new OperatorError(
    'MISCONFIGURED',
    '`pool` must be a pool of pg, `new Pool({ connectionString })`, made before the storage is opened.',
  );
}

/** Whether it is a connection of pg. Transactions of other libraries have a `query` too, of another form. */
export function isClient(value: unknown): value is ClientBase {
  return hasMethod(value, 'query') && hasMethod(value, 'getTypeParser');
}

/**
 * Our statements bring parsers of their own: pg-native does not ask them, and they read text.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function assertReadsText(client: ClientBase): void {
  if (!('native' in client) && !('binary' in client && client.binary === true)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'The connection is one of pg-native, or of `binary: true`, whose answers would be misread. ' +
      'Take `Pool` or `Client` of pg itself, without that option.',
  );
}

/** What `pg` knows of a connection; its types do not say so. */
interface Connected {
  readonly connection?: {
    readonly parsedStatements?: Readonly<Record<string, string>>;
    readonly stream?: { destroy(): void };
  };
}

/**
 * Closes the socket of a connection at once. A client that pipelines would wait for every answer first, and until then its
 * pool would not open another one for those who wait.
 */
export function closeSocket(client: object): void {
  (client as Connected).connection?.stream?.destroy();
}

/** Whether the server has prepared a statement by this name on the connection. */
export function hasPrepared(client: object, name: string): boolean {
  return (client as Connected).connection?.parsedStatements?.[name] !== undefined;
}

/** Whether it has such a method. */
export function hasMethod<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as Partial<Record<Name, unknown>>)[name] === 'function';
}
