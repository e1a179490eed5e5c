import type { CompanyId, OperationId } from '../../domain/ids.js';
import type { ErasePlan, Operation } from '../../domain/operation.js';
import { type Instant, toIso } from '../../domain/time.js';
import { clearSourceApplicationId } from '../../groups/applications/candidate-target.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { dryRun, instant, LIST_LIMIT, optional, optionalId } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { readInTurns } from '../../operator/event-loop.js';
import { companyNotFound } from '../../operator/find-or-throw.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import {
  entryOfOperation,
  filterOfPlan,
  type NewOperation,
  startOperation,
} from '../../operator/operations/start-operation.js';
import { type Runner, recordAct, type Scope } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { eraseApplications, objectsOfErasure } from './erase-applications.js';
import type { WalkedApplication, WalkPosition } from './repository.js';
import { INBOX_IS_OFF } from './rules.js';

/** Which candidates to erase. At least one of `companyId` and `changedBefore`. */
export interface BulkErasureInput {
  /** Only applications to this company; default: to all. */
  readonly companyId?: CompanyId | undefined;
  /** Only applications whose `changedAt` is earlier than this instant, exclusive; default: all. */
  readonly changedBefore?: Instant | undefined;
  /** Whether to also clear `sourceApplicationId`, which partners see; default: false. */
  readonly clearSourceApplicationId?: boolean | undefined;
  /** Whether to only count, and change nothing; default: false. */
  readonly dryRun?: boolean | undefined;
}

/** The result of `eraseMany`. */
export interface BulkErasure {
  /**
   * How many applications would be erased, or lose the partner's own id, with `dryRun`; otherwise null: the operation
   * counts them.
   */
  readonly count: number | null;
  /** The operation that the worker runs; null with `dryRun`. */
  readonly operation: Operation | null;
  /** The steps that you must take yourself, because the inbox is off; undefined if it is on, and with `dryRun`. */
  readonly notice?: string;
}

/** Enough rows for one step. Reading them takes at most a millisecond. */
const ROWS_PER_READ = 100;

/** A step that finds nothing to erase ends after this many reads. Rows that it leaves cost only their reading. */
const READS_PER_STEP = 5;

/** A step erases at most this many applications, so that it holds SQLite's write lock only briefly. */
const ERASED_PER_STEP = 10;

export const bulkErasure = record(
  {
    companyId: optionalId('company', 'Only applications to this company'),
    changedBefore: optional(instant, 'Only applications without a change since then'),
    clearSourceApplicationId,
    dryRun,
  },
  ({ companyId, changedBefore }) =>
    companyId !== undefined || changedBefore !== undefined
      ? []
      : [{ rule: 'must have companyId, changedBefore or both' }],
);

export async function eraseMany(
  { commit, read, now }: CommandContext,
  { companyId, changedBefore, clearSourceApplicationId = false, dryRun = false }: BulkErasureInput,
): Promise<BulkErasure> {
  const plan: ErasePlan = {
    kind: 'erase',
    companyId: companyId ?? null,
    changedBefore: changedBefore ?? null,
    clearSourceApplicationId,
    isRetention: false,
  };
  if (companyId !== undefined && (await read.companies.find(companyId)) === null) {
    throw companyNotFound(companyId);
  }
  const createdAt = await now();
  if (dryRun) return { count: await countDue(read, plan, createdAt), operation: null };
  const counts = { done: 0, skipped: 0, total: null };
  const operation = await commit((scope) => startErasure(scope, { plan, position: null, counts, createdAt }));
  const started = { count: null, operation };
  return (await read.inbox.isOn()) ? started : { ...started, notice: INBOX_IS_OFF };
}

/** Starts an operation that erases candidates, and records who started it. */
async function startErasure(
  scope: Scope,
  started: NewOperation & { readonly plan: ErasePlan },
): Promise<Operation> {
  const operation = await startOperation(scope, started);
  const { companyId } = started.plan;
  recordAct(scope, {
    objects: [
      { kind: 'operation', id: operation.id },
      ...(companyId === null ? [] : [{ kind: 'company', id: companyId } as const]),
    ],
    entryId: entryOfOperation(operation.id),
    filter: filterOfPlan(started.plan),
  });
  return operation;
}

async function countDue(read: Repositories, plan: ErasePlan, createdAt: Instant): Promise<number> {
  let count = 0;
  const pages = readInTurns<WalkedApplication>(ROWS_PER_READ, (after) => walk(read, plan, createdAt, after));
  for await (const walked of pages) count += walked.filter((each) => isDue(plan, each)).length;
  return count;
}

function walk(
  { candidates }: Pick<Repositories, 'candidates'>,
  { companyId, changedBefore }: ErasePlan,
  createdAt: Instant,
  after: WalkPosition | null,
): Promise<readonly WalkedApplication[]> {
  // An application is submitted before its last change, so this bound leaves out none that is due.
  const submittedBefore = Math.min(changedBefore ?? createdAt + 1, createdAt + 1);
  return candidates.walk({ companyId, submittedBefore, after, limit: ROWS_PER_READ });
}

/** An erasure without `clearSourceApplicationId` left the partner's own id. */
function isDue(
  { changedBefore, clearSourceApplicationId }: ErasePlan,
  { erasedAt, sourceApplicationId, changedAt }: Omit<WalkedApplication, 'id' | 'submittedAt'>,
): boolean {
  const hasData = erasedAt === null || (clearSourceApplicationId && sourceApplicationId !== null);
  return hasData && (changedBefore === null || changedAt < changedBefore);
}

/** Erases the next applications of an operation. */
export async function eraseStep(
  scope: Scope,
  { createdAt, plan }: PlannedOperation<ErasePlan>,
  position: unknown,
): Promise<StepOutcome> {
  let after = position as WalkPosition | null;
  for (let read = 0; read < READS_PER_STEP; read += 1) {
    const walked = await walk(scope.tx, plan, createdAt, after);
    const due = walked.filter((each) => isDue(plan, each));
    if (due.length > 0) return eraseChosen(scope, plan, walked, due);
    after = positionAfter(walked);
    if (after === null) return { done: 0, skipped: 0, next: null };
  }
  return { done: 0, skipped: 0, next: after };
}

async function eraseChosen(
  scope: Scope,
  plan: ErasePlan,
  walked: readonly WalkedApplication[],
  due: readonly WalkedApplication[],
): Promise<StepOutcome> {
  const chosen = due.slice(0, ERASED_PER_STEP);
  const { applications } = await eraseApplications(
    // Waking the worker after each step would make it poll for every kind of work. It polls for résumés to remove
    // anyway.
    { ...scope, workIsDue: () => {} },
    chosen.map(({ id }) => id),
    plan,
    (application) => isDue(plan, application),
  );
  const last = chosen.at(-1);
  const isCut = due.length > chosen.length && last !== undefined;
  const next = isCut ? positionOf(last) : positionAfter(walked);
  const done = applications.filter(({ changed }) => changed).length;
  return { done, skipped: 0, next, changed: objectsOfErasure(applications) };
}

/** Returns null if the rows were the last ones. */
function positionAfter(walked: readonly WalkedApplication[]): WalkPosition | null {
  const last = walked.at(-1);
  return last === undefined || walked.length < ROWS_PER_READ ? null : positionOf(last);
}

function positionOf({ id, submittedAt }: WalkedApplication): WalkPosition {
  return { id, submittedAt };
}

/**
 * Returns a function that starts one operation per day, which erases the candidates of applications that have not changed
 * for `applicationsMs`. It returns false if there is nothing to start.
 */
export function createRetention({ run, read, now }: Runner, applicationsMs: number): () => Promise<boolean> {
  return async () => {
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
    // Starts without an act, because the audit records the steps. The start itself changes nothing, and is repeated
    // every day.
    await run(null, (scope) => startOperation(scope, { id, plan, position: null, counts, createdAt }));
    return true;
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
