import type {
  AlertRepository,
  Delivery,
  DeliveryRepository,
  EvidenceRepository,
} from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, merge } from './merge.js';

/** A delivery lives in the cell of its key. */
export function deliveriesOf(cells: Cells): DeliveryRepository {
  return {
    save: async (deliveries) => {
      await cells.split(
        'key',
        deliveries,
        ({ keyId }) => keyId,
        ({ deliveries: rows }, own) => rows.save(own),
      );
    },
    listDue: (asked, now) =>
      cells.each(
        'key',
        asked,
        ({ keyId }) => keyId,
        ({ deliveries }, own) => deliveries.listDue(own, now),
      ),
    find: (keyId, ids) =>
      cells.of(
        'key',
        keyId,
        ({ deliveries }) => deliveries.find(keyId, ids),
        (found) => found.includes(null),
      ),
    findEach: (pairs) =>
      cells.each(
        'key',
        pairs,
        ({ keyId }) => keyId,
        ({ deliveries }, own) => deliveries.findEach(own),
      ),
    list: async (filter) => {
      const { keyId, limit } = filter;
      if (keyId !== null) return cells.of('key', keyId, ({ deliveries }) => deliveries.list(filter));
      return merge(await cells.readAll(({ deliveries }) => deliveries.list(filter)), newestFirst, limit);
    },
    listWaiting: (filter) =>
      cells.of('key', filter.keyId, ({ deliveries }) => deliveries.listWaiting(filter)),
    bringForward: (keyId, ids, dueAt) =>
      cells.of('key', keyId, ({ deliveries }) => deliveries.bringForward(keyId, ids, dueAt)),
    findAttempts: (keyId, id) =>
      cells.of('key', keyId, ({ deliveries }) => deliveries.findAttempts(keyId, id)),
    listAttempts: (filter) =>
      cells.of('key', filter.keyId, ({ deliveries }) => deliveries.listAttempts(filter)),
    sweep: (before, limit) =>
      cells.countInTurn('deliveries.sweep', limit, ({ deliveries }, left) => deliveries.sweep(before, left)),
  };
}

function newestFirst(one: Delivery, other: Delivery): number {
  return compare(other.eventAt, one.eventAt) || compare(other.eventId, one.eventId);
}

/** Evidence lives in the cell of its key. */
export function evidenceOf(cells: Cells): EvidenceRepository {
  return {
    append: async (batches) => {
      await cells.split(
        'key',
        batches,
        ({ keyId }) => keyId,
        ({ evidence }, own) => evidence.append(own),
      );
    },
    find: (events) =>
      cells.each(
        'key',
        events,
        ({ keyId }) => keyId,
        ({ evidence }, own) => evidence.find(own),
      ),
    sweep: (before, limit) =>
      cells.countInTurn('evidence.sweep', limit, ({ evidence }, left) => evidence.sweep(before, left)),
  };
}

/** An alert commits with the rows of its key, and so lives in the same cell. */
export function alertsOf(cells: Cells): AlertRepository {
  return {
    add: async (alerts) => {
      await cells.split(
        'key',
        alerts,
        ({ keyId }) => keyId,
        ({ alerts: rows }, own) => rows.add(own),
      );
    },
    claim: async (lease, limit) => {
      const claimed = await cells.inTurn('alerts.claim', limit, ({ alerts }, left) =>
        alerts.claim(lease, left),
      );
      return [...claimed].sort((one, other) => compare(one.at, other.at) || compare(one.id, other.id));
    },
    settle: async (ids, token) => void (await cells.writeAll(({ alerts }) => alerts.settle(ids, token))),
  };
}
