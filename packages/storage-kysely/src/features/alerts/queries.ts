import {
  type AlertId,
  type ClaimedAlert,
  type CollectedAlert,
  collectMessages,
  type Instant,
  type KeyId,
  type Lease,
  type OfOtherDeployment,
  type PartnerContact,
  type PartnerOfKey,
  type Repositories,
  type StoredAlert,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineSave, itemsWith, selectItems } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { NO_ID } from '../../feed-page.js';
import { leaseClock, leaseStart } from '../../lease-clock.js';
import { defineRemove, prepareLease } from '../../leased-queue.js';
import { ONE } from '../../look-ups.js';
import { beyond } from '../../merged-ranges.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { prepareSweepOldest } from '../../sweep-position.js';
import { maySend, type SenderParams, senderParams } from '../../system/deployment.js';
import { type DuePart, MOST_LEASED } from '../../system/work.js';
import type { Row } from '../../table.js';
import { ALERTS } from './table.js';

const NEW_ALERTS = ALERTS.omit('lease_token', 'sent_at', 'is_told');

type AlertRow = Row<typeof NEW_ALERTS>;

const QUEUE = { table: ALERTS, id: 'id' } as const;

export const prepareAlerts: Prepare<Repositories['alerts']> = (preparation) => {
  const { queries, lockRows, lockFreeRows, now } = preparation;
  const save = defineSave(preparation, NEW_ALERTS, ['id']);
  const findCollecting = define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    queries
      .selectFrom('ph_alert')
      .selectAll()
      // A literal, because the planner does not match a parameter to a partial index.
      .where('kind', '=', sql.lit('messages_collected' as const))
      .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
      .where('sent_at', 'is', null)
      .where('lease_token', 'is', null)
      .orderBy('id')
      .$call(lockRows),
  );
  const findWaiting = define((param: Param<SenderParams & { now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_alert as alert')
      // An alert about no key has no partner.
      .leftJoin('ph_partner_key as key', 'key.id', 'alert.key_id')
      .leftJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
      .selectAll('alert')
      .select(['key.partner_id', 'partner.name as partner_name', 'key.environment'])
      .select('partner.contact')
      .select((eb) => [
        maySend(preparation, param as Param<SenderParams>).as('may_send'),
        eb.selectFrom('ph_deployment').select('name').where('id', '=', sql.lit(1)).as('deployment'),
      ])
      .where('alert.sent_at', 'is', null)
      .where('alert.lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('alert.at')
      .orderBy('alert.id')
      .limit(param('limit'))
      .$call((query) => lockFreeRows(query, 'alert')),
  );
  const lease = prepareLease(preparation, QUEUE);
  const drop = defineRemove(preparation, QUEUE);
  const settle = define(
    (param: Param<{ rows: JsonRows<{ id: AlertId }>; token: string; told: 0 | 1; now: Instant }>) =>
      queries
        .updateTable('ph_alert')
        // No sub-select, because Citus refuses one in `set`.
        .set({ sent_at: leaseStart(preparation, param('now')), is_told: param('told') })
        .where('id', 'in', selectItems(preparation, param('rows'), 'id'))
        .where('sent_at', 'is', null)
        .where('lease_token', '=', param('token')),
  );
  const listSent = define((param: Param<{ at: Instant; id: AlertId; limit: number }>) =>
    queries
      .selectFrom('ph_alert')
      .selectAll()
      .where('sent_at', 'is not', null)
      .where(beyond('<', { sent_at: param('at'), id: param('id') }))
      .orderBy('sent_at', 'desc')
      .orderBy('id', 'desc')
      .limit(param('limit')),
  );

  return {
    add: (session, alerts) =>
      session.write(async (run) => {
        const keyIds = new Set(alerts.flatMap((alert) => ('keyId' in alert ? [alert.keyId] : [])));
        const keys = [...keyIds].map((key_id) => ({ key_id }));
        const { rows } = await run.batch(findCollecting, keys, {});
        await run.each(save, collectMessages(alerts, rows.map(toCollected)).map(fromAlert), {});
      }),
    claim: (session, held, limit) =>
      session.write(async (run) => {
        const sender = senderParams(preparation, held.deployment);
        const waiting = await run.all(findWaiting, { now: now(), limit, ...sender });
        await lease(run, waiting, held);
        return waiting.map((row) => ({ ...toAlert(row), ...markOf(row, held) }));
      }),
    settle: (session, ids, token, told = []) =>
      session.write(async (run) => {
        const untold = ids.filter((id) => !told.includes(id));
        await run.each(settle, itemsWith('id', untold), { token, told: 0, now: now() });
        await run.each(settle, itemsWith('id', told), { token, told: 1, now: now() });
      }),
    drop: (session, ids, token) => session.write((run) => run.each(drop, itemsWith('id', ids), { token })),
    listSent: (session, { after, limit }) =>
      session.read((run) => {
        const start = { at: after?.sentAt ?? Number.MAX_SAFE_INTEGER, id: after?.id ?? NO_ID, limit };
        return run.list(listSent, start, (row) => ({
          id: row.id,
          alert: factsOf(row),
          sentAt: row.sent_at ?? 0,
          isTold: row.is_told === 1,
        }));
      }),
    sweep: prepareSweepOldest(preparation, { table: 'ph_alert', column: 'sent_at', key: ['id'] }),
  };
};

/** The fields that have columns of their own. The others are kept as JSON. */
function fromAlert(alert: StoredAlert): AlertRow {
  if (!('keyId' in alert)) {
    const { id, kind, at, ...fields } = alert;
    return { ...NO_COLUMNS, id, kind, at, key_id: null, details: JSON.stringify(fields) };
  }
  const { id, kind, keyId, at, ...fields } = alert;
  const head = { ...NO_COLUMNS, id, kind, key_id: keyId, at };
  const { isHeld } = alert;
  switch (alert.kind) {
    case 'endpoint_paused':
      return { ...head, reason: alert.reason, details: JSON.stringify({ origin: alert.origin, isHeld }) };
    case 'delivery_dead': {
      const { eventId, attempts, origin, isFirstOfDay } = alert;
      const details = JSON.stringify({ origin, isFirstOfDay, isHeld });
      return { ...head, event_id: eventId, attempts, details };
    }
    case 'key_secret_ending':
    case 'signing_secret_ending':
    case 'messages_collected':
      // Nobody holds a lease, but no worker can take the alert before its time.
      return { ...head, lease_until: at, details: JSON.stringify(fields) };
    default:
      return { ...head, details: JSON.stringify(fields) };
  }
}

const NO_COLUMNS = { reason: null, event_id: null, attempts: null, lease_until: 0 };

/** Marks the alert if the process must not send to partners. */
function markOf(
  { may_send: maySendIt, deployment: database }: ClaimedRow,
  { deployment }: Lease,
): OfOtherDeployment {
  return maySendIt === 1 ? {} : { deployment: { database, process: deployment ?? null } };
}

/** A row of an alert about no key has no partner. */
interface ClaimedRow extends AlertRow {
  readonly may_send: number;
  readonly deployment: string | null;
  readonly partner_id: PartnerOfKey['partnerId'] | null;
  readonly partner_name: string | null;
  readonly environment: PartnerOfKey['environment'] | null;
  readonly contact: string | null;
}

function toAlert(row: ClaimedRow): ClaimedAlert {
  const alert = factsOf(row);
  if (!('keyId' in alert)) return alert;
  const contact = row.contact === null ? null : (JSON.parse(row.contact) as PartnerContact);
  const { partner_id: partnerId, partner_name: partnerName, environment } = row;
  const partner = { partnerId, partnerName, environment } as PartnerOfKey;
  return { ...alert, isHeld: alert.isHeld, ...partner, contact };
}

/** For each kind of alert, a check constraint ensures that its columns are not null. */
function factsOf({ id, kind, key_id: keyId, at, details, ...row }: AlertRow): StoredAlert {
  const fields = JSON.parse(details ?? '{}') as Readonly<Record<string, unknown>>;
  const head = { id, kind, at, ...fields };
  if (keyId === null) return head as StoredAlert;
  const { reason, event_id: eventId, attempts } = row;
  if (kind === 'endpoint_paused') return { ...head, keyId, reason } as StoredAlert;
  if (kind === 'delivery_dead') return { ...head, keyId, eventId, attempts } as StoredAlert;
  return { ...head, keyId } as StoredAlert;
}

function toCollected({ id, kind, key_id: keyId, at, details }: AlertRow): CollectedAlert {
  return { id, kind, keyId, at, ...JSON.parse(details ?? '{}') } as CollectedAlert;
}

/** When the first alert that no worker has leased is due, and the next warning about an endpoint. */
export const dueAlerts: DuePart = ({ queries }) => [
  queries
    .selectFrom(
      queries
        .selectFrom('ph_alert')
        .select('lease_until')
        .where('sent_at', 'is', null)
        .orderBy('at')
        .orderBy('id')
        .limit(MOST_LEASED)
        .as('alert'),
    )
    .select((alert) => alert.fn.min('alert.lease_until').as('at'))
    .as('alerts'),
  queries
    .selectFrom('ph_endpoint')
    .select('warn_at')
    .where('state', '=', sql.lit('active'))
    .where('warn_at', 'is not', null)
    .orderBy('warn_at')
    .limit(ONE)
    .as('warnings'),
];

/** When the first alert was raised that waits. */
export const firstAlert = ({ queries }: Preparation) =>
  queries
    .selectFrom('ph_alert')
    .select('at')
    .where('sent_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .limit(ONE);
