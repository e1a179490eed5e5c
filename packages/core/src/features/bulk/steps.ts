import { decideMove } from '../../domain/application.js';
import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { BulkPlan, BulkWork, OperationFailure, SendPlan } from '../../domain/operation.js';
import { OperatorError } from '../../errors.js';
import { illegalMove, moveApplications } from '../../groups/applications/move-applications.js';
import { pauseEndpoint, resumeOne } from '../../groups/deliveries/change-endpoint.js';
import { firstPosition, runSendStep, type SendPosition } from '../../groups/deliveries/send-steps.js';
import { grantAccesses, revokeAccesses } from '../../groups/partners/access-many.js';
import { applicationNotFound } from '../../operator/find-or-throw.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import type { Scope } from '../../operator/scope.js';
import type { BulkTarget } from './select.js';

/** Where a step starts: at an input, or within the deliveries of an endpoint. */
interface BulkPosition {
  readonly number: number;
  readonly sending: { readonly keyId: KeyId; readonly at: SendPosition; readonly isChanged: boolean } | null;
}

/** A step locks an endpoint only briefly. */
const DELIVERIES_PER_STEP = 100;

/** Returns how many objects a step changes. A change of access writes an event for each job. */
export function stepSizeOf(work: BulkWork): number {
  if (work.act === 'applications.decide') return 100;
  return work.act === 'endpoints.pause' || (work.act === 'endpoints.resume' && !work.retryNow) ? 10 : 1;
}

/** The objects of a step that it changed, those that it left as they were, and those that it could not change. */
interface Changes {
  readonly changed: readonly AuditObject[];
  readonly skipped: number;
  readonly failures: readonly OperationFailure[];
}

/** Changes the objects of one input, or sends the next deliveries of an endpoint. Ends after the last object. */
export async function bulkStep(
  scope: Scope,
  operation: PlannedOperation<BulkPlan>,
  position: unknown,
): Promise<StepOutcome> {
  const { id, plan, counts, failed } = operation;
  const { number, sending } = (position as BulkPosition | null) ?? { number: 0, sending: null };
  const input = sending === null ? await scope.tx.operations.takeInput(id, number) : null;
  const targets: readonly BulkTarget[] = input === null ? [] : JSON.parse(input);
  const [keyId] = targets.map((target) => target.id as KeyId);
  const sent = sending ?? (keyId === undefined ? null : startSending(plan.work, keyId));
  if (sent === null && targets.length === 0) return { done: 0, skipped: 0, next: null };
  const { next = null, ...changes }: Sent =
    sent !== null
      ? await sendNext(scope, operation, sent)
      : plan.work.act === 'applications.decide'
        ? await decideEach(scope, plan.work, targets)
        : await changeKeys(scope, plan.work, targets);
  const { changed, skipped, failures } = changes;
  const done = changed.length;
  if (next !== null) return { ...changes, done, next: { number, sending: next } };
  const ended = counts.done + counts.skipped + (failed?.count ?? 0) + done + skipped + failures.length;
  const isLast = ended >= (counts.total ?? 0);
  return { ...changes, done, next: isLast ? null : { number: number + 1, sending: null } };
}

type Sent = Changes & { readonly next?: BulkPosition['sending'] };

/** Decides on the applications that can be decided so, with a fixed number of queries. */
async function decideEach(
  scope: Scope,
  { decision: to }: Extract<BulkWork, { readonly act: 'applications.decide' }>,
  targets: readonly BulkTarget[],
): Promise<Changes> {
  const ids = targets.map(({ id }) => id as ApplicationId);
  const rows = await scope.tx.applications.findForUpdate(ids);
  const failures: OperationFailure[] = [];
  const due: ApplicationId[] = [];
  targets.forEach(({ changedAt }, index) => {
    const row = rows[index] ?? null;
    const id = ids[index];
    if (id === undefined) return;
    const kind = row === null ? null : decideMove(row, { to }, scope.rules).kind;
    const error =
      row === null
        ? applicationNotFound(id)
        : kind === 'illegal'
          ? illegalMove(row, { to })
          : kind === 'moved' && row.changedAt !== changedAt
            ? changedMeanwhile(id)
            : null;
    if (error !== null) failures.push(failureOf({ kind: 'application', id }, error));
    else if (kind === 'moved') due.push(id);
  });
  await moveApplications(
    scope,
    due.map((id) => ({ id, move: { to } })),
  );
  const changed = due.map((id) => ({ kind: 'application', id }) as const);
  return { changed, skipped: ids.length - due.length - failures.length, failures };
}

function changedMeanwhile(id: ApplicationId): OperatorError {
  return new OperatorError('ILLEGAL_MOVE', `Application ${id} has changed since the act began.`);
}

function failureOf(object: AuditObject, { code, message }: OperatorError): OperationFailure {
  return { object, code, message };
}

async function changeKeys(scope: Scope, work: BulkWork, targets: readonly BulkTarget[]): Promise<Changes> {
  const changed: AuditObject[] = [];
  const failures: OperationFailure[] = [];
  for (const { id } of targets) {
    const object: AuditObject = { kind: 'companyId' in work ? 'key' : 'endpoint', id };
    const error = await failureIn(async () => {
      if (await changeKey(scope, work, id as KeyId)) changed.push(object);
    });
    if (error !== null) failures.push(failureOf(object, error));
  }
  const skipped = targets.length - changed.length - failures.length;
  return { changed, skipped, failures };
}

/** A command checks before it writes, so the transaction can go on after its error. */
async function failureIn(change: () => Promise<void>): Promise<OperatorError | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

/** Returns whether anything changed. */
async function changeKey(scope: Scope, work: BulkWork, keyId: KeyId): Promise<boolean> {
  switch (work.act) {
    case 'access.grant': {
      const [outcome] = await grantAccesses(scope, [{ keyId, ...work }]);
      return outcome?.changed === true;
    }
    case 'access.revoke': {
      const [outcome] = await revokeAccesses(scope, [{ keyId, companyId: work.companyId }]);
      return outcome?.changed === true;
    }
    case 'endpoints.pause':
      return (await pauseEndpoint(scope, keyId)).changed;
    case 'endpoints.resume':
      return (await resumeOne(scope, keyId, false)).changed;
    default:
      throw new Error(`${work.act} does not change a key.`);
  }
}

/** Returns where to start sending. Null if the act sends nothing. */
function startSending(work: BulkWork, keyId: KeyId): BulkPosition['sending'] {
  const plan = sendPlanOf(work, keyId);
  return plan === null ? null : { keyId, at: firstPosition(plan), isChanged: false };
}

function sendPlanOf(work: BulkWork, keyId: KeyId): SendPlan | null {
  if (work.act === 'deliveries.resend') {
    const { since, until, only } = work;
    return { kind: 'resend', keyId, since, until, only };
  }
  return work.act === 'endpoints.resume' && work.retryNow ? { kind: 'retry_now', keyId } : null;
}

/** Sends deliveries of an endpoint. Its endpoint counts as done after the last ones. */
async function sendNext(
  scope: Scope,
  { plan: { work }, createdAt: asOf }: PlannedOperation<BulkPlan>,
  { keyId, at, isChanged }: NonNullable<BulkPosition['sending']>,
): Promise<Sent> {
  const object: AuditObject = { kind: 'endpoint', id: keyId };
  const none = { changed: [], skipped: 0, failures: [] };
  const plan = sendPlanOf(work, keyId);
  let next: SendPosition | null = null;
  let hasChanged = isChanged;
  const error = await failureIn(async () => {
    if (plan === null) return;
    // A repeated resumption changes nothing.
    if (plan.kind === 'retry_now' && (await resumeOne(scope, keyId, false)).changed) hasChanged = true;
    const step = await runSendStep(scope, plan, at, {
      asOf,
      isDryRun: false,
      atOnce: DELIVERIES_PER_STEP,
    });
    if (step.sent.count > 0) hasChanged = true;
    next = step.next;
  });
  if (error !== null) return { ...none, failures: [failureOf(object, error)] };
  if (next !== null) return { ...none, next: { keyId, at: next, isChanged: hasChanged } };
  return hasChanged ? { ...none, changed: [object] } : { ...none, skipped: 1 };
}
