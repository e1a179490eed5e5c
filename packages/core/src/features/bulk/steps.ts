import { decideMove } from '../../domain/application.js';
import type { AuditObject } from '../../domain/audit.js';
import type { ApplicationId, CompanyId, KeyId } from '../../domain/ids.js';
import type { BulkAct, BulkPlan, OperationFailure } from '../../domain/operation.js';
import { OperatorError } from '../../errors.js';
import { illegalMove, moveApplications } from '../../groups/applications/move-applications.js';
import { pauseEndpoint, resumeOne } from '../../groups/deliveries/change-endpoint.js';
import { firstPosition, runSendStep, type SendPosition } from '../../groups/deliveries/send-steps.js';
import { type AccessTarget, grantAccesses, revokeAccesses } from '../../groups/partners/access-many.js';
import { applicationNotFound } from '../../operator/find-or-throw.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import type { Scope } from '../../operator/scope.js';

/** What a step knows: its operation, and where it goes on within an object. */
interface Work extends Pick<PlannedOperation<BulkPlan>, 'plan' | 'createdAt'> {
  readonly at: SendPosition | null;
}

/** What became of the objects of a step. */
interface Outcome {
  /** Those that it changed. */
  readonly done: readonly string[];
  readonly failures: readonly OperationFailure[];
  /** Where the next step goes on within the last object. Null if the object is done. */
  readonly at: SendPosition | null;
}

interface ActSteps {
  /** What an id names. */
  readonly kind: AuditObject['kind'];
  /** How many objects a step changes. */
  readonly atOnce: number;
  readonly change: (scope: Scope, ids: readonly string[], work: Work) => Promise<Outcome>;
}

/** A step checks this many deliveries, because it locks their endpoint. */
const DELIVERIES_PER_STEP = 100;

const STEPS: Readonly<Record<BulkAct, ActSteps>> = {
  'applications.decide': { kind: 'application', atOnce: 100, change: decideEach },
  // A change of access writes an event for each job.
  'access.grant': ofEach('key', 1, (scope, id) => grantAccesses(scope, [accessOf(id)])),
  'access.revoke': ofEach('key', 1, (scope, id) => revokeAccesses(scope, [accessOf(id)])),
  'endpoints.pause': ofEach('endpoint', 10, async (scope, id) => [await pauseEndpoint(scope, id as KeyId)]),
  'endpoints.resume': ofEach('endpoint', 10, async (scope, id) => [
    await resumeOne(scope, id as KeyId, false),
  ]),
  'deliveries.resend': ofEach('endpoint', 1, async (scope, id, { plan, createdAt, at }) => {
    const { since, until, only } = plan;
    const ofKey = { kind: 'resend', keyId: id as KeyId, since, until, only } as const;
    const rules = { asOf: createdAt, isDryRun: false, atOnce: DELIVERIES_PER_STEP };
    const { next } = await runSendStep(scope, ofKey, at ?? firstPosition(ofKey), rules);
    return [{ changed: next === null, next }];
  }),
};

/** Returns how many objects a step of the act changes. */
export function stepSizeOf(act: BulkAct): number {
  return STEPS[act].atOnce;
}

function accessOf(id: string): AccessTarget {
  const [keyId, companyId] = id.split(' ');
  return { keyId: keyId as KeyId, companyId: companyId as CompanyId };
}

/** Returns the objects that an id names. */
function objectsOf(kind: AuditObject['kind'], id: string): readonly [AuditObject, ...AuditObject[]] {
  const [named = id, companyId] = id.split(' ');
  const company = companyId === undefined ? [] : [{ kind: 'company', id: companyId } as const];
  return [{ kind, id: named }, ...company];
}

/** Where a step starts: at an input, or within its only object. */
interface BulkPosition {
  readonly number: number;
  readonly rest: { readonly id: string; readonly at: SendPosition } | null;
}

/** Changes the objects of one input. Ends if there is none left. */
export async function bulkStep(
  scope: Scope,
  { id, plan, createdAt }: PlannedOperation<BulkPlan>,
  position: unknown,
): Promise<StepOutcome> {
  const { number, rest } = (position as BulkPosition | null) ?? { number: 0, rest: null };
  const input = rest === null ? await scope.tx.operations.takeInput(id, number) : null;
  const ids: readonly string[] = rest === null ? JSON.parse(input ?? '[]') : [rest.id];
  const [first] = ids;
  if (first === undefined) return { done: 0, skipped: 0, next: null };
  const { kind, change } = STEPS[plan.act];
  const { done, failures, at } = await change(scope, ids, { plan, createdAt, at: rest?.at ?? null });
  const next = at === null ? { number: number + 1, rest: null } : { number, rest: { id: first, at } };
  const skipped = at === null ? ids.length - done.length - failures.length : 0;
  const changed = done.flatMap((each) => objectsOf(kind, each));
  return { done: done.length, skipped, failures, changed, next };
}

function failureOf(object: AuditObject, { code, message }: OperatorError): OperationFailure {
  return { object, code, message };
}

/** Decides on all applications that can be decided so, with a fixed number of queries. */
async function decideEach(
  scope: Scope,
  ids: readonly string[],
  { plan: { decision } }: Work,
): Promise<Outcome> {
  const to = decision ?? 'rejected';
  const rows = await scope.tx.applications.findForUpdate(ids as readonly ApplicationId[]);
  const failures = (ids as readonly ApplicationId[]).flatMap((id, index) => {
    const row = rows[index] ?? null;
    if (row === null) return failureOf({ kind: 'application', id }, applicationNotFound(id));
    const isIllegal = decideMove(row, { to }, scope.rules).kind === 'illegal';
    return isIllegal ? failureOf({ kind: 'application', id }, illegalMove(row, { to })) : [];
  });
  const failed = new Set(failures.map(({ object }) => object.id));
  const legal = rows.flatMap((row) => (row === null || failed.has(row.id) ? [] : row.id));
  const moved = await moveApplications(
    scope,
    legal.map((id) => ({ id, move: { to } })),
  );
  const done = moved.flatMap(({ application, changed }) => (changed ? application.id : []));
  return { done, failures, at: null };
}

type ChangeOne = (
  scope: Scope,
  id: string,
  work: Work,
) => Promise<readonly { readonly changed: boolean; readonly next?: SendPosition | null }[]>;

/** Runs a command with one object after the other. It checks before it writes, so the others go on after its error. */
function ofEach(kind: AuditObject['kind'], atOnce: number, changeOne: ChangeOne): ActSteps {
  const change: ActSteps['change'] = async (scope, ids, work) => {
    const done: string[] = [];
    const failures: OperationFailure[] = [];
    let at: SendPosition | null = null;
    for (const id of ids) {
      try {
        const [outcome] = await changeOne(scope, id, work);
        if (outcome?.changed === true) done.push(id);
        at = outcome?.next ?? null;
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        failures.push(failureOf(objectsOf(kind, id)[0], error));
      }
    }
    return { done, failures, at };
  };
  return { kind, atOnce, change };
}
