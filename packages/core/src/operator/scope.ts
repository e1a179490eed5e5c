import type { MoveRules } from '../domain/application.js';
import type { KeyId } from '../domain/ids.js';
import type { Instant } from '../domain/time.js';
import type { Runtime } from '../ports/runtime.js';
import type { SecretBox } from '../ports/secret-box.js';
import type { Repositories } from '../ports/storage.js';
import type { StorageClock } from '../storage-clock.js';
import type { SendOnce } from './deliveries/send-once.js';
import type { UrlPolicy } from './endpoints/endpoint-url.js';

/** What the host settled once, for every command. */
export interface OperatorSettings {
  /** Without its clock: commands go by the storage's time alone. */
  readonly runtime: Pick<Runtime, 'ids' | 'random'>;
  readonly storageClock: StorageClock;
  readonly secretBox: SecretBox;
  readonly rules: MoveRules;
  readonly urlPolicy: UrlPolicy;
  /** How test deliveries are sent. */
  readonly sendOnce: SendOnce;
  /** Whether sandbox keys have a world that plays by itself. */
  readonly sandbox: boolean;
  /** How many attempts the worker keeps under way to one endpoint. */
  readonly maxInFlightPerEndpoint: number;
}

/** What one command works with: the settings, and the repositories of its transaction. */
export interface Scope extends OperatorSettings {
  readonly tx: Repositories;
  /** Returns the storage's time, which is read in the transaction unless the last reading is young. */
  now(): Promise<Instant>;
  /**
   * Notes that the worker has something to do once the transaction has committed: to send the events that were
   * recorded for these keys, or, without any, whatever it finds.
   */
  workIsDue(keyIds?: readonly KeyId[]): void;
}

/** How commands reach the storage: in transactions of their own, or all in the host's. */
export interface Runner {
  /**
   * Runs a command in its transaction. A command checks before it writes, so that one that throws has
   * changed nothing even in a transaction which the host goes on with.
   */
  run<T>(command: (scope: Scope) => Promise<T>): Promise<T>;
  /** For commands that only read. */
  readonly read: Repositories;
  /** Returns the storage's time, for commands that only read, or that run several transactions. */
  now(): Promise<Instant>;
  readonly settings: OperatorSettings;
}
