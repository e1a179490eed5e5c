import { OperatorError } from '@partner-hiring/core';
import type { ClientBase } from 'pg';

export function assertPool(pool: unknown): void {
  if (hasMethod(pool, 'connect') && 'idleCount' in pool) return;
  throw new OperatorError(
    'MISCONFIGURED',
    '`pool` must be a pool of pg, `new Pool({ connectionString })`, made before the storage is opened.',
  );
}

/** Other libraries' transactions have a different `query`. */
export function isClient(value: unknown): value is ClientBase {
  return hasMethod(value, 'query') && hasMethod(value, 'getTypeParser');
}

/** Rejects pg-native, which ignores the parsers that the statements need. */
export function assertReadsText(client: ClientBase): void {
  if (!('native' in client) && !('binary' in client && client.binary === true)) return;
  throw new OperatorError(
    'MISCONFIGURED',
    'The connection uses pg-native or `binary: true`, whose results the storage cannot read. Use `Pool` or `Client` of ' +
      'pg without that option.',
  );
}

interface Connected {
  readonly connection?: {
    readonly parsedStatements?: Readonly<Record<string, string>>;
    readonly stream?: { destroy(): void };
  };
}

/** A pipelining client otherwise waits for every result, and its pool cannot replace it. */
export function closeSocket(client: object): void {
  (client as Connected).connection?.stream?.destroy();
}

export function hasPrepared(client: object, name: string): boolean {
  return (client as Connected).connection?.parsedStatements?.[name] !== undefined;
}

export function hasMethod<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject && typeof (value as Partial<Record<Name, unknown>>)[name] === 'function';
}
