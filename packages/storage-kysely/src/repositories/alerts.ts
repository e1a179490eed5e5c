import type {
  AlertId,
  AlertRepository,
  EventId,
  Instant,
  Lease,
  OperatorAlert,
  PauseReason,
} from '@partner-hiring/core/ports';
import { defineInsert } from '../batch.js';
import type { Columns, JsonRows } from '../dialect.js';
import { leaseClock, leaseEnd } from '../lease-clock.js';
import type { Prepare } from '../preparation.js';
import type { AlertTable, LeaseColumns } from '../schema.js';
import { define, type Param } from '../statement.js';

type AlertRow = Omit<AlertTable, keyof LeaseColumns>;

const ALERT_COLUMNS: Columns<AlertRow> = {
  id: 'text',
  kind: 'text',
  key_id: 'text',
  reason: 'text',
  event_id: 'text',
  attempts: 'integer',
  at: 'integer',
};

interface AlertItem {
  readonly id: AlertId;
}

interface TakenRows extends Lease {
  readonly rows: JsonRows<AlertItem>;
  readonly now: Instant;
}

export const prepareAlerts: Prepare<AlertRepository> = (preparation) => {
  const { queries, items, lockFreeRows, now } = preparation;
  const add = defineInsert(preparation, { table: 'ph_alert', columns: ALERT_COLUMNS });
  const findWaiting = define((param: Param<{ now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_alert')
      .selectAll()
      .where('lease_until', '<=', leaseClock(preparation, param('now')))
      .orderBy('at')
      .orderBy('id')
      .limit(param('limit'))
      .$call(lockFreeRows),
  );
  const lease = define((param: Param<TakenRows>) =>
    queries
      .updateTable('ph_alert')
      .from(items(param('rows'), { id: 'text' }))
      .set({
        lease_token: param('token'),
        lease_until: leaseEnd(preparation, param('now'), param('forMs')),
      })
      .whereRef('ph_alert.id', '=', 'item.id'),
  );
  const settle = define((param: Param<{ rows: JsonRows<AlertItem>; token: string }>) =>
    queries
      .deleteFrom('ph_alert')
      .where('id', 'in', (eb) => eb.selectFrom(items(param('rows'), { id: 'text' })).select('item.id'))
      .where('lease_token', '=', param('token')),
  );

  return (session) => ({
    add: (alerts) =>
      session.write(async (run) => {
        await run.batch(add, alerts.map(fromAlert), {});
      }),
    claim: ({ token, forMs }, limit) =>
      session.write(async (run) => {
        const waiting = await run.all(findWaiting, { now: now(), limit });
        await run.batch(
          lease,
          waiting.map(({ id }) => ({ id })),
          { token, forMs, now: now() },
        );
        return waiting.map(toAlert);
      }),
    settle: (ids, token) =>
      session.write(async (run) => {
        await run.batch(
          settle,
          ids.map((id) => ({ id })),
          { token },
        );
      }),
  });
};

function fromAlert(alert: OperatorAlert): AlertRow {
  const { id, kind, keyId, at } = alert;
  const common = { id, kind, key_id: keyId, at };
  return alert.kind === 'endpoint_paused'
    ? { ...common, reason: alert.reason, event_id: null, attempts: null }
    : { ...common, reason: null, event_id: alert.eventId, attempts: alert.attempts };
}

/** Check constraints ensure that each kind has its columns. */
function toAlert(row: AlertRow): OperatorAlert {
  const { id, key_id: keyId, at } = row;
  return row.kind === 'endpoint_paused'
    ? { id, kind: row.kind, keyId, reason: row.reason as PauseReason, at }
    : {
        id,
        kind: row.kind,
        keyId,
        eventId: row.event_id as EventId,
        attempts: row.attempts as number,
        at,
      };
}
