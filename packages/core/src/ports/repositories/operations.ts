import type { OperationId } from '../../domain/ids.js';
import type { Operation, OperationState } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';

/** An operation with the state of its next step. */
export interface OperationTask {
  readonly operation: Operation;
  /**
   * JSON text: where the next step starts. Null before the first step. For a sync that a worker runs: the pause before the
   * next run, in milliseconds.
   */
  readonly position: string | null;
  /** How many steps in a row have failed. */
  readonly failures: number;
  /** When the next step may run. The operation that waited longest comes first. */
  readonly dueAt: Instant;
}

/** A list continues after this operation, newest first. */
export type OperationPosition = Pick<Operation, 'createdAt' | 'id'>;

/** Stores operations, and the inputs of their steps. */
export interface OperationRepository {
  /** @param inputs - the texts that the steps read, from number 0 on. */
  add(task: OperationTask, inputs?: readonly string[]): Promise<void>;
  find(id: OperationId): Promise<Operation | null>;
  /** Locks the operation until the transaction ends. */
  findForUpdate(id: OperationId): Promise<OperationTask | null>;
  /** Newest first. A null `state` means any state. */
  list(filter: {
    readonly state: OperationState | null;
    readonly after?: OperationPosition | undefined;
    readonly limit: number;
  }): Promise<readonly Operation[]>;
  /** Whether a running operation is due. Costs less than `takeDue`, and locks nothing. */
  isDue(now: Instant): Promise<boolean>;
  /** Locks a running operation that is due and that no other transaction holds. Null if there is none. */
  takeDue(now: Instant): Promise<OperationTask | null>;
  /** Replaces everything except the plan and `createdAt`. */
  save(task: OperationTask): Promise<void>;
  /** Adds an input. */
  addInput(id: OperationId, number: number, input: string): Promise<void>;
  /** Lists inputs by number. */
  listInputs(id: OperationId, limit: number): Promise<readonly string[]>;
  /** Deletes an operation with its inputs. */
  remove(id: OperationId): Promise<void>;
  /** Deletes the input and returns it. Null if it does not exist. */
  takeInput(id: OperationId, number: number): Promise<string | null>;
  /** Deletes operations that finished before `before`, with the inputs that were left. */
  sweep(before: Instant, limit: number): Promise<number>;
}
