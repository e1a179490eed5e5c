import type { Operation } from '../../domain/operation.js';
import { isGiven } from '../../domain/optional.js';
import type { Instant } from '../../domain/time.js';
import { findApplication } from '../../groups/applications/find-application.js';
import { partsOf } from '../../groups/jobs/publish-jobs.js';
import { onPartner } from '../../operator/command/claims.js';
import type { CommandContext, Definitions } from '../../operator/command/definition.js';
import { id, rotation } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { entryOfOperation, startOperation } from '../../operator/operations/start-operation.js';
import { recordAct } from '../../operator/scope.js';
import { type BulkInput, bulkInput, bulkRightsOf, claimsOf, isOfAccess } from './bulk-input.js';
import { type PartnerRotation, type RotatedSecrets, rotateSecrets } from './rotate-secrets.js';
import { type BulkItem, select } from './select.js';
import { stepSizeOf } from './steps.js';

/** The objects that an act selects, and the operation that changes them. */
export interface BulkStart {
  /** How many objects. */
  readonly count: number;
  /** The first ten. */
  readonly items: readonly BulkItem[];
  /** When they were selected. Pass it to the call after a dry run, so that it decides on no other applications. */
  readonly asOf: Instant;
  /** Says that the inbox does not tell the host of the decisions; null if it does, and for other acts. */
  readonly notice: string | null;
  /** The operation that the worker runs; null with `dryRun`, and if there is no object. */
  readonly operation: Operation | null;
}

/** Does the same with many objects. */
export interface BulkCommands {
  /**
   * Runs the command `act` with each of many objects: chosen ones, or those that a filter finds now, at most 100,000.
   * The worker does it in steps, as an operation. If it cannot change an object, it names it in `failed` of the
   * operation and goes on.
   * @throws OperatorError `APPLICATION_NOT_FOUND`; `COMPANY_NOT_FOUND`; `ENDPOINT_NOT_FOUND`.
   * @example
   * const rejection = { act: 'applications.decide', decision: 'rejected', jobId } as const;
   * const { count, asOf } = await operator.bulk.start({ ...rejection, dryRun: true });
   * const { operation } = await operator.bulk.start({ ...rejection, asOf });
   * await operator.bulk.start({ act: 'access.revoke', ids: [companyId] });
   * await operator.bulk.start({ act: 'deliveries.resend', ids: [keyId], only: 'undelivered' });
   */
  start(input: BulkInput): Promise<BulkStart>;
  /**
   * Rotates all secrets of a partner with one overlap: the secret of each key, and the signing secret of each endpoint.
   * Returns them, only here.
   * @throws OperatorError `PARTNER_NOT_FOUND`; `SECRET_REPLACED` if `ifCurrent` does not name the current secrets.
   * @example
   * const { keys } = await operator.bulk.rotateSecrets({ partnerId });
   * for (const { key, secret, endpoint } of keys) console.log(key.environment, secret, endpoint?.signingSecret);
   */
  rotateSecrets(rotation: PartnerRotation): Promise<RotatedSecrets>;
}

export const bulkDefinitions: Definitions<BulkCommands> = {
  start: {
    summary: 'Runs a command with many applications, companies or endpoints, in steps',
    input: bulkInput,
    pastTense: 'started an act on many',
    right: bulkRightsOf,
    claims: claimsOf,
    run: startBulk,
  },
  rotateSecrets: {
    summary:
      'Creates new secrets for all keys and endpoints of a partner; the old ones work during the overlap',
    input: record({ partnerId: id('partner'), ...rotation }),
    pastTense: 'rotated all secrets of the partner',
    right: () => ['keys:rotate', 'endpoints:rotate-secret'],
    claims: onPartner,
    run: rotateSecrets,
  },
};

async function startBulk(context: CommandContext, input: BulkInput): Promise<BulkStart> {
  const createdAt = await context.now();
  const { act, ids: chosen, except, asOf: given, dryRun = false, ...fields } = input;
  const { ids, items, keyIds, changedAt } = await select(context, input);
  // Stamps of many submissions at once are ahead of the clock.
  const asOf = given ?? Math.max(createdAt, changedAt);
  const [first] = items;
  const shown = first !== undefined && 'id' in first ? await findApplication(context, first.id) : null;
  const found = { count: ids.length, items, asOf, notice: shown?.notice ?? null, operation: null };
  if (dryRun || ids.length === 0) return found;
  const { decision = null, since = null, until = null, only = null } = fields;
  const shownFields = Object.entries({ ...fields, except: except?.length });
  const filter = Object.fromEntries(shownFields.filter(([, value]) => isGiven(value)));
  const plan = { kind: 'bulk', act, decision, since, until, only, filter, keyIds } as const;
  // The timeline of each object then says what was done with it.
  const operation = await context.run(act, async (scope) => {
    const started = await startOperation(scope, {
      plan,
      position: null,
      counts: { done: 0, skipped: 0, total: ids.length },
      createdAt,
      inputs: partsOf(ids, stepSizeOf(act)).map((part) => JSON.stringify(part)),
    });
    const companies = isOfAccess(act) ? (chosen ?? []) : [];
    recordAct(scope, {
      objects: [
        { kind: 'operation', id: started.id },
        ...companies.map((companyId) => ({ kind: 'company', id: companyId }) as const),
      ],
      entryId: entryOfOperation(started.id),
      filter: { ...filter, selected: ids.length },
    });
    return started;
  });
  return { ...found, operation };
}
