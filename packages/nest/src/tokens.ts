import { Inject } from '@nestjs/common';

/** The token of the partner API, the result of `createPartnerHiring`. */
export const PARTNER_HIRING: symbol = Symbol.for('@partner-hiring/nest');

/** The token of the operator: the commands of the host. */
export const PARTNER_HIRING_OPERATOR: symbol = Symbol.for('@partner-hiring/nest/operator');

/** The token of the worker. */
export const PARTNER_HIRING_WORKER: symbol = Symbol.for('@partner-hiring/nest/worker');

/** A decorator for a parameter of a constructor, or for a property. */
export type InjectDecorator = ReturnType<typeof Inject>;

/**
 * Injects the partner API, a `PartnerHiring`.
 * @example
 * ```ts
 * import type { PartnerHiring } from '@partner-hiring/core';
 * import type { Database } from 'better-sqlite3';
 *
 * export class MyServer {
 *   constructor(@InjectPartnerHiring() readonly partnerHiring: PartnerHiring<Database>) {}
 * }
 * ```
 */
export function InjectPartnerHiring(): InjectDecorator {
  return Inject(PARTNER_HIRING);
}

/**
 * Injects the operator, an `Operator`. Its type parameter is the transaction of your storage, which
 * `operator.within(tx)` takes.
 * @example
 * ```ts
 * import type { Operator } from '@partner-hiring/core';
 * import type { PostgresTransaction } from '@partner-hiring/postgres';
 *
 * export class Hiring {
 *   constructor(@InjectOperator() readonly operator: Operator<PostgresTransaction>) {}
 * }
 * ```
 */
export function InjectOperator(): InjectDecorator {
  return Inject(PARTNER_HIRING_OPERATOR);
}

/** Injects the worker, a `Worker`, for example to call `worker.drain()` in a scheduled task. */
export function InjectWorker(): InjectDecorator {
  return Inject(PARTNER_HIRING_WORKER);
}
