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

/** Which endpoint URLs are accepted. */
export interface UrlPolicy {
  /** Spec: Partner-side receiver, HTTPS. */
  readonly allowPlainHttp: boolean;
}

export type SendOnce = (endpoint: Endpoint, event: PartnerEvent) => Promise<AttemptEnd>;

export interface OperatorSettings {
  readonly runtime: Pick<Runtime, 'ids' | 'random'>;
  readonly storageClock: StorageClock;
  readonly secretBox: SecretBox;
  readonly rules: MoveRules;
  readonly urlPolicy: UrlPolicy;
  readonly sendOnce: SendOnce;
  readonly sandbox: boolean;
  readonly maxInFlightPerEndpoint: number;
}

export interface Scope extends OperatorSettings {
  readonly tx: Repositories;
  /** The storage's time, cached or read in the transaction. */
  now(): Promise<Instant>;
  /** Wakes the worker after the commit. With key ids, only new events of these keys are due. */
  workIsDue(keyIds?: readonly KeyId[]): void;
}

export interface Runner {
  /** Commands check before they write, so a host can commit after an error. */
  run<T>(command: (scope: Scope) => Promise<T>): Promise<T>;
  readonly read: Repositories;
  now(): Promise<Instant>;
  readonly settings: OperatorSettings;
}
