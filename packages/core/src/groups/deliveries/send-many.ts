import type { AuditObject } from '../../domain/audit.js';
import type { Operation, SendPlan } from '../../domain/operation.js';
import { yieldToEventLoop } from '../../operator/event-loop.js';
import {
  actOfPlan,
  entryOfOperation,
  filterOfPlan,
  startOperation,
} from '../../operator/operations/start-operation.js';
import { type Change, type Runner, recordAct, type Scope } from '../../operator/scope.js';
import {
  addCounts,
  firstPosition,
  NOTHING_SENT,
  runSendStep,
  type SendCounts,
  type SendPosition,
} from './send-steps.js';

/** An option of commands that send deliveries. */
export interface DryRun {
  /** Whether to only count what would be sent, and change nothing; default: false. */
  readonly dryRun?: boolean | undefined;
}

/** The result of a command that sends many deliveries. */
export interface BulkSending extends SendCounts {
  /**
   * The operation that sends the rest, whose deliveries the counts leave out; null if the command is done, and with
   * `dryRun`.
   */
  readonly operation: Operation | null;
}

/** A command of up to 10,000 deliveries ends before it returns. */
const STEPS_OF_COMMAND = 10;

interface SendManyOptions {
  readonly isDryRun: boolean;
  /** Runs in the transaction of the first step, before it. Returns what it changed, for the audit. */
  readonly first?: (scope: Scope) => Promise<Change | null>;
}

/** Sends 1000 deliveries per transaction. After ten transactions, the worker continues. A dry run has no limit. */
export async function sendMany(
  { run, now, settings }: Runner,
  plan: SendPlan,
  { isDryRun, first = async () => null }: SendManyOptions,
): Promise<BulkSending> {
  const asOf = await now();
  const operationId = settings.runtime.ids.next('operation');
  let before = NOTHING_SENT;
  let position: SendPosition = firstPosition(plan);
  for (let number = 1; ; number += 1) {
    const start: SendPosition = position;
    const known = before;
    const step = await run(actOfPlan(plan), async (scope) => {
      const change = number === 1 ? await first(scope) : null;
      const { sent, next } = await runSendStep(scope, plan, start, { asOf, isDryRun });
      const counts = addCounts(known, sent);
      const isHandedOver = next !== null && number === STEPS_OF_COMMAND && !isDryRun;
      const operation = isHandedOver
        ? await startOperation(scope, {
            id: operationId,
            plan,
            position: next,
            counts: { done: counts.count, skipped: counts.skipped, total: null },
            createdAt: asOf,
          })
        : null;
      if (change !== null || operation !== null || (sent.count > 0 && !isDryRun)) {
        recordAct(scope, {
          ...change,
          ...sendingOf(plan, sent, operation),
          entryId: entryOfOperation(operationId),
        });
      }
      return { counts, next, operation };
    });
    if (step.next === null || step.operation !== null) return { ...step.counts, operation: step.operation };
    before = step.counts;
    position = step.next;
    await yieldToEventLoop();
  }
}

function sendingOf(plan: SendPlan, { count }: SendCounts, operation: Operation | null): Change {
  const { keyId } = plan;
  const rest: readonly AuditObject[] = operation === null ? [] : [{ kind: 'operation', id: operation.id }];
  const filter = filterOfPlan(plan);
  return { objects: [{ kind: 'endpoint', id: keyId }, ...rest], keyId, count, filter };
}
