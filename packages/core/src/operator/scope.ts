import type { MoveRules } from '../domain/application.js';
import type { AttemptEnd } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { Runtime } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Repositories } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';

/** Which endpoint URLs are accepted. The transport checks the address on each attempt. */
export interface UrlPolicy {
  /** Accept `http`, for tests and development. Spec: Partner-side receiver, HTTPS. */
  readonly allowPlainHttp: boolean;
}

/** Signs and sends an event once, and records nothing. */
export type SendOnce = (endpoint: Endpoint, event: PartnerEvent) => Promise<AttemptEnd>;

export interface OperatorSettings {
  /** Without its clock: commands use the storage's time. */
  readonly runtime: Pick<Runtime, 'ids' | 'random'>;
  readonly storageClock: StorageClock;
  readonly secretBox: SecretBox;
  readonly rules: MoveRules;
  readonly urlPolicy: UrlPolicy;
  readonly sendOnce: SendOnce;
  readonly sandbox: boolean;
  readonly maxInFlightPerEndpoint: number;
}

/** The context of one command. */
export interface Scope extends OperatorSettings {
  readonly tx: Repositories;
  /** Returns the storage's time. Reads it in the transaction unless a recent value is cached. */
  now(): Promise<Instant>;
  /**
   * Wakes the worker after the commit. With key ids, the worker has new events of these keys to send. Without,
   * it polls everything.
   */
  workIsDue(keyIds?: readonly KeyId[]): void;
}

/** Runs commands, either each in its own transaction or all in the host's. */
export interface Runner {
  /**
   * Runs a command in a transaction. Commands check before they write: after one has thrown, a host can still
   * commit its own transaction.
   */
  run<T>(command: (scope: Scope) => Promise<T>): Promise<T>;
  readonly read: Repositories;
  /** Returns the storage's time. */
  now(): Promise<Instant>;
  readonly settings: OperatorSettings;
}
