import type { OperationPlan } from '@partner-hiring/core';
import type { ConsoleRight } from '../rights.js';

/** Returns the right that stopping an operation needs beside `operations:stop`. Null for none. */
export function stopRightOf(plan: OperationPlan): ConsoleRight | null {
  return plan.kind === 'erase' ? 'candidates:erase' : null;
}
