import type { Operation } from '../domain/operation.js';

/**
 * `failed`: the step changed nothing, and `err` is the reason. `postponed`: the step changed nothing, because other
 * transactions have locked its rows.
 */
export type OperationStepResult =
  | { readonly kind: 'stepped'; readonly operation: Operation }
  | { readonly kind: 'postponed'; readonly operation: Operation }
  | { readonly kind: 'failed'; readonly operation: Operation; readonly err: unknown };

export interface OperationStepper {
  /** Runs one step of an operation that is due. Null if none is due. Workers never share an operation. */
  step(): Promise<OperationStepResult | null>;
}
