import { type FactoryProvider, Inject, type ModuleMetadata } from '@nestjs/common';
import { OperatorError, type PartnerHiring } from '@partner-hiring/core';

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

/** What the module does in this process. */
export interface PartnerHiringModuleSettings {
  /**
   * Whether the module mounts the API in the HTTP server. Default: true. An application without an HTTP
   * server mounts nothing.
   */
  readonly mount?: boolean | undefined;
  /** Whether the module starts the worker when the application has started. Default: true. */
  readonly startWorker?: boolean | undefined;
}

/** The options of `PartnerHiringModule.forRoot`. */
export interface PartnerHiringModuleOptions<HostTx> extends PartnerHiringModuleSettings {
  /** The result of `createPartnerHiring`. The module closes it when the application closes. */
  readonly partnerHiring: PartnerHiring<HostTx>;
}

/** The options of `PartnerHiringModule.forRootAsync`. */
export interface PartnerHiringModuleAsyncOptions<HostTx> extends PartnerHiringModuleSettings {
  /**
   * The modules that export what `inject` names. Nest destroys them after this module, so their database
   * pools stay open until the worker has stopped.
   */
  readonly imports?: ModuleMetadata['imports'] | undefined;
  /** The tokens of the factory's parameters. A request-scoped provider is refused when the application starts. */
  readonly inject?: FactoryProvider['inject'] | undefined;
  /** Calls `createPartnerHiring`. The module closes the result when the application closes. */
  readonly useFactory: (...injected: never[]) => PartnerHiring<HostTx> | Promise<PartnerHiring<HostTx>>;
}

type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

const SETTINGS: Names<PartnerHiringModuleSettings> = { mount: true, startWorker: true };
const OPTIONS: Names<PartnerHiringModuleOptions<never>> = { partnerHiring: true, ...SETTINGS };
const ASYNC_OPTIONS: Names<PartnerHiringModuleAsyncOptions<never>> = {
  imports: true,
  inject: true,
  useFactory: true,
  ...SETTINGS,
};

/** Throws `MISCONFIGURED` if an option of `forRoot` is unknown or invalid. */
export function checkModuleOptions<HostTx>(options: PartnerHiringModuleOptions<HostTx>): void {
  const caller = 'PartnerHiringModule.forRoot';
  checkNames(caller, options, OPTIONS);
  checkSettings(caller, options);
  checkPartnerHiring(caller, options.partnerHiring);
}

/** Throws `MISCONFIGURED` if an option of `forRootAsync` is unknown or invalid. */
export function checkModuleAsyncOptions<HostTx>(options: PartnerHiringModuleAsyncOptions<HostTx>): void {
  const caller = 'PartnerHiringModule.forRootAsync';
  checkNames(caller, options, ASYNC_OPTIONS);
  checkSettings(caller, options);
  if (typeof options.useFactory === 'function') return;
  throw moduleMisconfiguration(
    `\`useFactory\` of ${caller} must be a function that returns the result of createPartnerHiring.`,
  );
}

/** Throws `MISCONFIGURED` if the value is not the result of `createPartnerHiring`. */
export function checkPartnerHiring<HostTx>(caller: string, partnerHiring: PartnerHiring<HostTx>): void {
  const given: Partial<PartnerHiring<HostTx>> | null | undefined = partnerHiring;
  if (typeof given?.handler === 'function' && typeof given.close === 'function') return;
  throw moduleMisconfiguration(
    `${caller} needs the result of createPartnerHiring, but it was given something else. ` +
      'If your function is asynchronous, use PartnerHiringModule.forRootAsync({ useFactory }).',
  );
}

export function moduleMisconfiguration(message: string): OperatorError {
  return new OperatorError('MISCONFIGURED', message);
}

function checkNames(caller: string, options: object, known: object): void {
  const given: object | undefined = options;
  const unknown = Object.keys(given ?? {}).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined && given !== undefined) return;
  const names = Object.keys(known).map((name) => `\`${name}\``);
  const problem = given === undefined ? 'needs options' : `does not have the option \`${unknown}\``;
  throw moduleMisconfiguration(`${caller} ${problem}. It takes ${names.join(', ')}.`);
}

function checkSettings(caller: string, settings: PartnerHiringModuleSettings): void {
  for (const name of ['mount', 'startWorker'] as const) {
    const value: unknown = settings[name];
    if (value === undefined || typeof value === 'boolean') continue;
    throw moduleMisconfiguration(`\`${name}\` of ${caller} must be true or false.`);
  }
}
