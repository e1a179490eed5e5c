import {
  type ClaimedAlert,
  type CollectedAlert,
  collectMessages,
  type EventId,
  type Instant,
  type KeyId,
  type Lease,
  type OfOtherDeployment,
  type PartnerContact,
  type PartnerOfKey,
  type PauseReason,
  type Repositories,
  type StoredAlert,
} from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { defineSave, itemsWith, selectItems } from '../../batch.js';
import type { JsonRows } from '../../dialect.js';
import { leaseClock } from '../../lease-clock.js';
import { defineRemove, prepareLease } from '../../leased-queue.js';
import { ONE } from '../../look-ups.js';
import type { Preparation, Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { maySend, type SenderParams, senderParams } from '../../system/deployment.js';
import { type DuePart, MOST_LEASED } from '../../system/work.js';
import type { Row } from '../../table.js';
import { ALERTS } from './table.js';

const NEW_ALERTS = ALERTS.omit('lease_token');

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
      .leftJoin('ph_endpoint as endpoint', 'endpoint.key_id', 'alert.key_id')
      .selectAll('alert')
      .select(['key.partner_id', 'partner.name as partner_name', 'key.environment'])
      .select(['partner.contact', 'endpoint.url'])
      .select((eb) => [
        maySend(preparation, param as Param<SenderParams>).as('may_send'),
        eb.selectFrom('ph_deployment').select('name').where('id', '=', sql.lit(1)).as('deployment'),
      ])
      .where('alert.lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('alert.at')
      .orderBy('alert.id')
      .limit(param('limit'))
      .$call((query) => lockFreeRows(query, 'alert')),
  );
  const lease = prepareLease(preparation, QUEUE);
  const settle = defineRemove(preparation, QUEUE);

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
    settle: (session, ids, token) =>
      session.write((run) => run.each(settle, itemsWith('id', ids), { token })),
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
  readonly url: string | null;
}

/** For each kind of alert, a check constraint ensures that its columns are not null. */
function toAlert(row: ClaimedRow): ClaimedAlert {
  const fields = JSON.parse(row.details ?? '{}') as StoredFields;
  const { id, kind, key_id: keyId, at } = row;
  if (keyId === null) return { id, kind, at, ...fields } as ClaimedAlert;
  const contact = row.contact === null ? null : (JSON.parse(row.contact) as PartnerContact);
  const { isHeld } = fields;
  const { partner_id: partnerId, partner_name: partnerName, environment } = row;
  const partner = { partnerId, partnerName, environment } as PartnerOfKey;
  const head = { id, keyId, at, ...partner, contact, isHeld };
  switch (row.kind) {
    case 'endpoint_paused':
      return { ...head, kind: row.kind, reason: row.reason as PauseReason, origin: originFor(row, fields) };
    case 'delivery_dead': {
      const eventId = row.event_id as EventId;
      const attempts = row.attempts as number;
      const { isFirstOfDay = true } = fields;
      return { ...head, kind: row.kind, eventId, attempts, isFirstOfDay, origin: originFor(row, fields) };
    }
    default:
      return { ...head, kind: row.kind, ...fields } as ClaimedAlert;
  }
}

/** An alert of an older release has fewer fields. */
interface StoredFields {
  readonly origin?: string;
  readonly isFirstOfDay?: boolean;
  readonly isHeld?: boolean;
}

function toCollected({ id, kind, key_id: keyId, at, details }: AlertRow): CollectedAlert {
  return { id, kind, keyId, at, ...JSON.parse(details ?? '{}') } as CollectedAlert;
}

/** An alert of an older release has no origin. The endpoint's current URL is the best guess. */
function originFor({ url }: ClaimedRow, { origin }: StoredFields): string {
  return origin ?? (url === null ? '' : new URL(url).origin);
}

/** When the first alert that no worker has leased is due, and the next warning about an endpoint. */
export const dueAlerts: DuePart = ({ queries }) => [
  queries
    .selectFrom(
      queries
        .selectFrom('ph_alert')
        .select('lease_until')
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

/** When the first alert was raised. */
export const firstAlert = ({ queries }: Preparation) =>
  queries.selectFrom('ph_alert').select('at').orderBy('at').orderBy('id').limit(ONE);
