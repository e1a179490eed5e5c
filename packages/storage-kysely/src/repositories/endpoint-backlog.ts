import type { EndpointRepository, Instant } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';

/** How much waits to be sent: for each active endpoint, two ranges of two indexes, up to the limit. */
export const prepareEndpointBacklog: Prepare<Pick<EndpointRepository, 'measureBacklog'>> = ({ queries }) => {
  const measure = define((param: Param<{ now: Instant; limit: number }>) =>
    queries
      .selectFrom('ph_endpoint as endpoint')
      .where('endpoint.state', '=', sql.lit('active'))
      .select((select) => {
        // Beyond the watermark, oldest first.
        const events = select
          .selectFrom('ph_event as event')
          .whereRef('event.key_id', '=', 'endpoint.key_id')
          .whereRef('event.at', '>', 'endpoint.watermark')
          .orderBy('event.at')
          .select('event.at as at');
        const deliveries = select
          .selectFrom('ph_delivery as delivery')
          .whereRef('delivery.key_id', '=', 'endpoint.key_id')
          .where('delivery.state', '=', sql.lit('pending'))
          .where('delivery.due_at', '<=', param('now'))
          .orderBy('delivery.due_at')
          .select('delivery.due_at as at');
        return [
          events.limit(1).as('oldest_event_at'),
          deliveries.limit(1).as('oldest_due_at'),
          select
            .selectFrom(events.limit(param('limit')).as('some'))
            .select((count) => count.fn.countAll<number>().as('count'))
            .as('events'),
          select
            .selectFrom(deliveries.limit(param('limit')).as('some'))
            .select((count) => count.fn.countAll<number>().as('count'))
            .as('deliveries'),
        ];
      }),
  );

  return (session) => ({
    measureBacklog: (now, limit) =>
      session.read(async (run) => {
        let due = 0;
        let oldestAt: Instant | null = null;
        for (const row of await run.all(measure, { now, limit })) {
          due += Number(row.events) + Number(row.deliveries);
          oldestAt = earlier(oldestAt, earlier(row.oldest_event_at, row.oldest_due_at));
        }
        return { due, oldestAt };
      }),
  });
};

function earlier(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
