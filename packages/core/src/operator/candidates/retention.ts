import type { OperationId } from '../../domain/ids.js';
import type { ErasePlan } from '../../domain/operation.js';
import { type Instant, toIso } from '../../domain/time.js';
import type { RetentionStarter } from '../../ports/steppers.js';
import type { Repositories } from '../../ports/storage.js';
import { LIST_LIMIT } from '../command/fields.js';
import { startOperation } from '../operations/start-operation.js';
import type { Runner } from '../scope.js';

/** Starts one operation per day that erases the candidates of applications without a change for so long. */
export function createRetention({ run, read, now }: Runner, applicationsMs: number): RetentionStarter {
  return {
    async start() {
      const createdAt = await now();
      const changedBefore = createdAt - applicationsMs;
      // The id contains the day, so that several workers start only one operation.
      const id: OperationId = `op_retention_${dayOf(createdAt)}`;
      if (!(await isNeeded(read, id, changedBefore))) return false;
      const plan: ErasePlan = {
        kind: 'erase',
        companyId: null,
        changedBefore,
        clearSourceApplicationId: false,
        isRetention: true,
      };
      const counts = { done: 0, skipped: 0, total: null };
      // The audit records its steps. The start alone changes nothing, and is repeated every day.
      await run(null, (scope) => startOperation(scope, { id, plan, position: null, counts, createdAt }));
      return true;
    },
  };
}

function dayOf(at: Instant): string {
  return toIso(at).slice(0, 10).replaceAll('-', '');
}

async function isNeeded(
  { operations, candidates }: Repositories,
  id: OperationId,
  changedBefore: Instant,
): Promise<boolean> {
  if (changedBefore <= 0 || (await operations.find(id)) !== null) return false;
  const range = { companyId: null, submittedBefore: changedBefore, after: null, limit: 1 };
  if ((await candidates.walk(range)).length === 0) return false;
  const running = await operations.list({ state: 'running', limit: LIST_LIMIT.max });
  return !running.some(({ plan }) => plan.kind === 'erase' && plan.isRetention);
}
