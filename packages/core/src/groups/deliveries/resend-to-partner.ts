import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { PartnerSendPlan, ResendSelection, SendPlan } from '../../domain/operation.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../../operator/command/definition.js';
import type { PlannedOperation, StepOutcome } from '../../operator/operations/operation-stepper.js';
import { entryOfOperation, filterOfPlan, startOperation } from '../../operator/operations/start-operation.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { partnerNotFound } from '../partners/partner-changes.js';
import { type BulkSending, sendMany } from './send-many.js';
import {
  addCounts,
  firstPosition,
  NOTHING_SENT,
  runSendStep,
  type SendCounts,
  type SendPosition,
} from './send-steps.js';

/** How many deliveries of a key a command would send. */
export interface KeySendCounts extends SendCounts {
  readonly keyId: KeyId;
}

interface PartnerSending extends BulkSending {
  readonly keys: readonly KeySendCounts[];
}

/** Counts what the worker would send, or hands it over to the worker. */
export async function resendToPartner(
  context: CommandContext,
  partnerId: PartnerId,
  selection: ResendSelection,
  isDryRun: boolean,
): Promise<PartnerSending> {
  const { read, commit, now } = context;
  if ((await read.partners.find(partnerId)) === null) throw partnerNotFound(partnerId);
  const keyIds: KeyId[] = [];
  for (const { id } of await read.keys.list(partnerId)) {
    if ((await read.endpoints.find(id)) !== null) keyIds.push(id);
  }
  if (keyIds.length === 0) throw noEndpoint(partnerId);
  const plan: PartnerSendPlan = { kind: 'resend_partner', partnerId, keyIds, ...selection };
  if (isDryRun) {
    const keys: KeySendCounts[] = [];
    for (const keyId of keyIds) {
      const { operation: _, ...counts } = await sendMany(context, planOfKey(plan, keyId), { isDryRun: true });
      keys.push({ keyId, ...counts });
    }
    return { ...keys.reduce<SendCounts>(addCounts, NOTHING_SENT), keys, operation: null };
  }
  const createdAt = await now();
  const counts = { done: 0, skipped: 0, total: null };
  const operation = await commit(async (scope) => {
    const started = await startOperation(scope, { plan, position: null, counts, createdAt });
    recordAct(scope, {
      objects: [
        { kind: 'partner', id: partnerId },
        { kind: 'operation', id: started.id },
        ...keyIds.map((id) => ({ kind: 'endpoint', id }) as const),
      ],
      entryId: entryOfOperation(started.id),
      filter: filterOfPlan(plan),
    });
    return started;
  });
  return { ...NOTHING_SENT, keys: [], operation };
}

function noEndpoint(id: PartnerId): OperatorError {
  const message = `No key of partner ${id} has an endpoint. Add one with endpoints.setUrl.`;
  return new OperatorError('ENDPOINT_NOT_FOUND', message);
}

function planOfKey({ since, until, only }: PartnerSendPlan, keyId: KeyId): SendPlan {
  return { kind: 'resend', keyId, since, until, only };
}

interface PartnerPosition {
  /** The number of the key. */
  readonly key: number;
  /** Null at the start of the key. */
  readonly at: SendPosition | null;
}

/** Sends the next deliveries of an operation, one key at a time. */
export async function partnerStep(
  scope: Scope,
  { plan, createdAt: asOf }: PlannedOperation<PartnerSendPlan>,
  position: unknown,
): Promise<StepOutcome> {
  const { key, at } = (position as PartnerPosition | null) ?? { key: 0, at: null };
  const keyId = plan.keyIds[key];
  if (keyId === undefined) return { done: 0, skipped: 0, next: null };
  const ofKey = planOfKey(plan, keyId);
  const rules = { asOf, isDryRun: false };
  const { sent, next } = await runSendStep(scope, ofKey, at ?? firstPosition(ofKey), rules);
  const after = key + 1 < plan.keyIds.length ? { key: key + 1, at: null } : null;
  return { done: sent.count, skipped: sent.skipped, next: next === null ? after : { key, at: next } };
}
