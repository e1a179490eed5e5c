import type { AuditObject } from '../../domain/audit.js';
import type { EventId, KeyId, PartnerId } from '../../domain/ids.js';
import type { ResendOnly, ResendSelection } from '../../domain/operation.js';
import { isStorableText } from '../../domain/text.js';
import type { Instant } from '../../domain/time.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { InputProblem } from '../../operator/command/input.js';
import { lockEndpoint } from '../../operator/find-or-throw.js';
import { recordAct, type Scope } from '../../operator/scope.js';
import { findStandings, objectsOf, type Standing } from './find-delivery.js';
import { type KeySendCounts, resendToPartner } from './resend-to-partner.js';
import { type BulkSending, type DryRun, sendMany } from './send-many.js';
import { isToSend, type SendCounts, type SendRules, sendNow } from './send-steps.js';

/** Which events to resend: of one key or of one partner, by their ids, by a time, or only what is undelivered. */
export interface ResendTarget extends DryRun {
  /** Only events of this key; either this or `partnerId` is required. */
  readonly keyId?: KeyId | undefined;
  /** The events of all keys of this partner that have an endpoint, one key at a time. */
  readonly partnerId?: PartnerId | undefined;
  /**
   * Only these events of the key, at most 1,000, duplicates ignored; default: those of `since` and `only`. Only with
   * `keyId`, and without `since` and `until`.
   */
  readonly eventIds?: readonly EventId[] | undefined;
  /** Only events that were recorded from this time on, inclusive; default: all that are kept. */
  readonly since?: Instant | undefined;
  /** Only events that were recorded before this time, exclusive; default: until now. Only with `since`. */
  readonly until?: Instant | undefined;
  /**
   * `undelivered`: only dead letters, and deliveries that wait for their next attempt; default: delivered and cancelled
   * ones too, so that `eventIds` or `since` is required.
   */
  readonly only?: ResendOnly | undefined;
}

/** The result of `resend`. */
export interface ResendResult extends BulkSending {
  /**
   * With `partnerId` and `dryRun`, the counts of each key that has an endpoint, production first; otherwise empty. The
   * operation counts what it sends.
   */
  readonly keys: readonly KeySendCounts[];
  /**
   * Those of `eventIds` that are unknown or expired, or that occurred before the key had an endpoint; the others are
   * sent.
   */
  readonly missing: readonly EventId[];
}

export async function resend(
  context: CommandContext,
  { keyId, partnerId, eventIds, since, until, only: given, dryRun = false }: ResendTarget,
): Promise<ResendResult> {
  const only = given ?? null;
  const selection: ResendSelection = { since: since ?? null, until: until ?? null, only };
  if (partnerId !== undefined)
    return { ...(await resendToPartner(context, partnerId, selection, dryRun)), missing: [] };
  if (keyId === undefined) throw new InputProblem('keyId or partnerId is required');
  if (eventIds !== undefined) {
    const { sent, missing } = await context.commit((scope) =>
      resendEvents(scope, keyId, eventIds, { only, isDryRun: dryRun }),
    );
    return { ...sent, keys: [], operation: null, missing };
  }
  const sent = await sendMany(context, { kind: 'resend', keyId, ...selection }, { isDryRun: dryRun });
  return { ...sent, keys: [], missing: [] };
}

/** The result of `resendEvents`. */
interface ResentEvents {
  readonly sent: SendCounts;
  /** The deliveries as they were before. */
  readonly standings: readonly Standing[];
  readonly missing: readonly EventId[];
}

/** Resends events of a key, in one transaction. */
export async function resendEvents(
  scope: Scope,
  keyId: KeyId,
  eventIds: readonly EventId[],
  { only, isDryRun }: Pick<SendRules, 'only' | 'isDryRun'>,
): Promise<ResentEvents> {
  const endpoint = await lockEndpoint(scope, keyId);
  const ids = [...new Set(eventIds)];
  // Ids that cannot be stored as text are left out, because PostgreSQL would abort the transaction.
  const found = await findStandings(scope.tx, keyId, ids.filter(isStorableText));
  const standings = found.filter((standing) => standing !== null);
  const rules = { only, isDryRun, asOf: await scope.now() };
  const deliveries = standings.map(({ delivery }) => delivery);
  const sent = await sendNow(scope, endpoint, deliveries, rules);
  if (!isDryRun) {
    const changed = standings.filter(({ delivery }) => isToSend(scope, delivery, rules));
    recordResent(scope, keyId, changed, ids.length);
  }
  const known = new Set(deliveries.map(({ eventId }) => eventId));
  return { sent, standings, missing: ids.filter((id) => !known.has(id)) };
}

/** Records an event that was resent alone with its states, and several with their number. */
function recordResent(scope: Scope, keyId: KeyId, sent: readonly Standing[], asked: number): void {
  const [first, ...others] = sent;
  if (first === undefined) return;
  const [main, ...more] = objectsOf(first);
  const objects: readonly [AuditObject, ...AuditObject[]] = [main, ...more, ...others.flatMap(objectsOf)];
  if (asked === 1) {
    const before = { state: first.delivery.state };
    recordAct(scope, { objects, keyId, before, after: { state: 'pending' } });
  } else {
    recordAct(scope, { objects, keyId, count: sent.length, filter: { events: asked } });
  }
}
