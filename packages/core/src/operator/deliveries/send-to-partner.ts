import type { KeyId, PartnerId } from '../../domain/ids.js';
import type { Operation, PartnerSendPlan, SendPlan } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { OperatorError } from '../../errors.js';
import type { CommandContext } from '../command/definition.js';
import { entryOfOperation, filterOfPlan, startOperation } from '../operations/start-operation.js';
import { partnerNotFound } from '../partner-changes.js';
import { recordAct, type Scope } from '../scope.js';
import type { DryRun } from './change-delivery.js';
import { sendMany } from './send-many.js';
import {
  addCounts,
  firstPosition,
  NOTHING_SENT,
  runSendStep,
  type SendCounts,
  type SendPosition,
} from './send-steps.js';

/** Which deliveries of a partner to send again. */
export interface PartnerSendingInput extends DryRun {
  readonly partnerId: PartnerId;
  /** Sends all events from this time on, even delivered ones. Inclusive. Omitted for dead letters and retries only. */
  readonly since?: Instant | undefined;
  /** The end of the time, exclusive. Only with `since`. */
  readonly until?: Instant | undefined;
}

/** How many deliveries of a key a command would send. */
export interface KeySending extends SendCounts {
  readonly keyId: KeyId;
}

/** The result of `redeliverPartner`. */
export interface PartnerSending extends SendCounts {
  /** With `dryRun`, the counts of each key that has an endpoint, production first. Otherwise empty: see the operation. */
  readonly keys: readonly KeySending[];
  /** The operation that the worker runs. Null with `dryRun`. */
  readonly operation: Operation | null;
}

export async function redeliverPartner(
  context: CommandContext,
  { partnerId, since, until, dryRun = false }: PartnerSendingInput,
): Promise<PartnerSending> {
  const { read, commit, now } = context;
  if ((await read.partners.find(partnerId)) === null) throw partnerNotFound(partnerId);
  const keyIds: KeyId[] = [];
  for (const { id } of await read.keys.list(partnerId)) {
    if ((await read.endpoints.find(id)) !== null) keyIds.push(id);
  }
  if (keyIds.length === 0) throw noEndpoint(partnerId);
  const window = { since: since ?? null, until: until ?? null };
  const plan: PartnerSendPlan = { kind: 'redeliver_partner', partnerId, keyIds, ...window };
  if (dryRun) {
    const keys: KeySending[] = [];
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

function planOfKey({ since, until }: PartnerSendPlan, keyId: KeyId): SendPlan {
  return since === null ? { kind: 'redeliver_all', keyId } : { kind: 'redeliver_since', keyId, since, until };
}

interface PartnerPosition {
  /** The number of the key. */
  readonly key: number;
  /** Null at the start of the key. */
  readonly at: SendPosition | null;
}

interface PartnerStep {
  readonly done: number;
  readonly skipped: number;
  readonly next: PartnerPosition | null;
}

/** Sends the next deliveries of an operation, one key after the other. */
export async function partnerStep(
  scope: Scope,
  plan: PartnerSendPlan,
  position: unknown,
  asOf: Instant,
): Promise<PartnerStep> {
  const { key, at } = (position as PartnerPosition | null) ?? { key: 0, at: null };
  const keyId = plan.keyIds[key];
  if (keyId === undefined) return { done: 0, skipped: 0, next: null };
  const ofKey = planOfKey(plan, keyId);
  const rules = { asOf, isDryRun: false };
  const { sent, next } = await runSendStep(scope, ofKey, at ?? firstPosition(ofKey), rules);
  const after = key + 1 < plan.keyIds.length ? { key: key + 1, at: null } : null;
  return { done: sent.count, skipped: 0, next: next === null ? after : { key, at: next } };
}
