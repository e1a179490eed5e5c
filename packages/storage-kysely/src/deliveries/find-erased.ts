import {
  type ApplicationId,
  applicationOfEvent,
  type Instant,
  type KeyId,
  type StoredDelivery,
} from '@partner-hiring/core/ports';
import { itemsWith, selectItems } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { defineLookUps, type Item } from '../look-ups.js';
import { pairKey } from '../mapping.js';
import type { Preparation } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param } from '../statement.js';

type Erased = ReadonlySet<StoredDelivery>;

/** Finds the deliveries whose events are about erased applications. */
export interface FindErased {
  known(run: Run, deliveries: readonly StoredDelivery[]): Promise<Erased>;
  /**
   * Also returns the deliveries whose applications another transaction has locked, because that transaction may be an
   * erasure. Locks the other applications, so that a later erasure waits for this transaction and finds what it has
   * stored.
   */
  locked(run: Run, deliveries: readonly StoredDelivery[]): Promise<Erased>;
}

export function defineFindErased(preparation: Preparation): FindErased {
  const { queries, lockFreeRows } = preparation;
  const findEvents = defineLookUps(
    preparation,
    { key_id: 'text', at: 'integer' },
    (item: Item<{ key_id: KeyId; at: Instant }>) =>
      queries
        .selectFrom('ph_event')
        .select(['key_id', 'at', 'type', 'body'])
        .where('key_id', '=', item('key_id'))
        .where('at', '=', item('at'))
        .where('type', '=', 'application.status_changed'),
  );
  const findKept = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: ApplicationId }>) =>
    queries
      .selectFrom('ph_application')
      .select('id')
      .where('id', '=', item('id'))
      .where('erased_at', 'is', null),
  );
  const lockKept = define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    queries
      .selectFrom('ph_application')
      .select('id')
      .where('id', 'in', selectItems(preparation, param('rows'), 'id'))
      .where('erased_at', 'is', null)
      .orderBy('id')
      .$call(lockFreeRows),
  );

  async function find(
    run: Run,
    deliveries: readonly StoredDelivery[],
    keep: typeof lockKept,
  ): Promise<Erased> {
    if (deliveries.length === 0) return new Set();
    const stamps = deliveries.map(({ keyId, eventAt }) => ({ key_id: keyId, at: eventAt }));
    const { rows: events } = await run.batch(findEvents, stamps, {});
    const owners = new Map(
      events.map((event) => [pairKey(event.key_id, String(event.at)), applicationOfEvent(event)]),
    );
    const ownerOf = ({ keyId, eventAt }: StoredDelivery) =>
      owners.get(pairKey(keyId, String(eventAt))) ?? null;
    const asked = [...new Set(deliveries.flatMap((each) => ownerOf(each) ?? []))].sort();
    const { rows } = await run.batch(keep, itemsWith('id', asked), {});
    const kept = new Set(rows.map(({ id }) => id));
    return new Set(
      deliveries.filter((each) => {
        const owner = ownerOf(each);
        return owner !== null && !kept.has(owner);
      }),
    );
  }

  return {
    known: (run, deliveries) => find(run, deliveries, findKept),
    locked: (run, deliveries) => find(run, deliveries, lockKept),
  };
}
