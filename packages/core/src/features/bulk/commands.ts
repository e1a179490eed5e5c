import type { AuditFields } from '../../domain/audit.js';
import type { Operation } from '../../domain/operation.js';
import { isGiven } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import type { ListedApplication } from '../../groups/applications/list-applications.js';
import { narrowApplications } from '../../groups/applications/narrow-applications.js';
import { partsOf } from '../../groups/jobs/publish-jobs.js';
import { onPartner } from '../../operator/command/claims.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { id, rotation } from '../../operator/command/fields.js';
import { InputProblem, record } from '../../operator/command/input.js';
import { entryOfOperation, startOperation } from '../../operator/operations/start-operation.js';
import { recordAct } from '../../operator/scope.js';
import { type BulkInput, bulkInput, claimsOf, rightsOf, workOf } from './bulk-input.js';
import { type PartnerRotation, type RotatedSecrets, rotateSecrets } from './rotate-secrets.js';
import { type BulkSelection, type NamedKey, select } from './select.js';
import { stepSizeOf } from './steps.js';

/** The objects that an act selects, and the operation that changes them. */
export interface BulkStart {
  /** How many objects. With `dryRun`, at most 10,000. */
  readonly count: number;
  /** False if there are more. */
  readonly isExact: boolean;
  /** The first ten. */
  readonly items: readonly ListedApplication[] | readonly NamedKey[];
  /** When they were selected. Pass it to the call after a dry run, so that it changes no other applications. */
  readonly asOf: Instant;
  /** The operation that the worker runs; null with `dryRun`, and if there is no object. */
  readonly operation: Operation | null;
}

/** Does the same with many objects. */
export interface BulkCommands {
  /**
   * Does what the command `act` does, with each of many objects: chosen ones, or those that a filter finds now, at most
   * 100,000. The worker does it in steps, as an operation. If it cannot change an object, it names it in `failed` of
   * the operation and goes on. An application that changes after the start is left as it is.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `COMPANY_NOT_FOUND`; `KEY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const rejection = { act: 'applications.decide', decision: 'rejected', jobId, status: 'in_progress' } as const;
   * const { count, asOf } = await operator.bulk.start({ ...rejection, dryRun: true });
   * const { operation } = await operator.bulk.start({ ...rejection, asOf });
   * await operator.bulk.start({ act: 'access.revoke', companyId, all: true });
   * await operator.bulk.start({ act: 'deliveries.resend', ids: [keyId], only: 'undelivered' });
   */
  start(input: BulkInput): Promise<BulkStart>;
  /**
   * Rotates all secrets of a partner with one overlap: the secret of each key, and the signing secret of each endpoint.
   * Returns them, only here.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `SECRET_REPLACED` if `ifCurrent` does not name the current secrets.
   * @example
   * const { keys } = await operator.bulk.rotateSecrets({ id: partnerId });
   * for (const { key, secret, endpoint } of keys) console.log(key.environment, secret, endpoint?.signingSecret);
   */
  rotateSecrets(rotation: PartnerRotation): Promise<RotatedSecrets>;
}

export const bulkDefinitions: Definitions<BulkCommands> = {
  start: {
    summary: 'Does the same with many applications, keys or endpoints, in steps',
    input: bulkInput,
    pastTense: 'started an act on many',
    right: rightsOf,
    claims: claimsOf,
    gate: {
      narrow: async (started, _input, sees) => {
        const { items } = started;
        return isOfApplications(items)
          ? { ...started, items: await narrowApplications(items, sees) }
          : started;
      },
    },
    run: startBulk,
  },
  rotateSecrets: {
    summary:
      'Creates new secrets for all keys and endpoints of a partner; the old ones work during the overlap',
    input: record({ id: id('partner'), ...rotation }),
    pastTense: 'rotated all secrets of the partner',
    right: () => ['keys:rotate', 'endpoints:rotate-secret'],
    claims: (input) => onPartner({ partnerId: input.id }),
    run: rotateSecrets,
  },
};

function isOfApplications(items: BulkStart['items']): items is readonly ListedApplication[] {
  return items.some((item) => 'candidate' in item);
}

/** Limits the memory of one call. */
const MOST_OBJECTS = 100_000;

/** Counting applications reads them. */
const MOST_COUNTED = 10_000;

/** An operation of more keys belongs to the host. */
const MOST_KEYS = 100;

async function startBulk(context: CommandContext, input: BulkInput): Promise<BulkStart> {
  const { dryRun = false } = input;
  const now = await context.now();
  const asOf = ('asOf' in input ? input.asOf : undefined) ?? now;
  const selected = await select(context, input, { asOf, atMost: dryRun ? MOST_COUNTED : MOST_OBJECTS });
  const { targets, isExact, items } = selected;
  const found = { count: targets.length, isExact, items, asOf };
  if (dryRun || targets.length === 0) return { ...found, operation: null };
  if (!isExact) {
    throw new InputProblem(
      `the filter finds more than ${MOST_OBJECTS} objects. Select fewer with another filter`,
    );
  }
  return { ...found, operation: await startSelected(context, input, selected, now) };
}

function startSelected(
  { run }: CommandContext,
  input: BulkInput,
  { targets, keyIds }: BulkSelection,
  createdAt: Instant,
): Promise<Operation> {
  const work = workOf(input);
  const isOfKeys = work.act !== 'access.grant' && work.act !== 'access.revoke';
  const filter = filterOf(input);
  const plan = {
    kind: 'bulk',
    work,
    filter,
    keyIds: isOfKeys && keyIds.length <= MOST_KEYS ? keyIds : null,
  } as const;
  // The entry has the name of the command that is run with each object.
  return run(work.act, async (scope) => {
    const operation = await startOperation(scope, {
      plan,
      position: null,
      counts: { done: 0, skipped: 0, total: targets.length },
      createdAt,
      inputs: partsOf(targets, stepSizeOf(work)).map((part) => JSON.stringify(part)),
    });
    recordAct(scope, {
      objects: [
        { kind: 'operation', id: operation.id },
        ...('companyId' in work ? [{ kind: 'company', id: work.companyId } as const] : []),
      ],
      entryId: entryOfOperation(operation.id),
      filter: { ...filter, selected: targets.length },
    });
    return operation;
  });
}

const NOT_FILTERS = ['act', 'ids', 'asOf', 'dryRun'];

/** What selected the objects, and how they are changed. None of it is personal data. */
function filterOf(input: BulkInput): AuditFields {
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !NOT_FILTERS.includes(name) && isGiven(value)),
  );
}
