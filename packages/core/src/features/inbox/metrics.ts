import type { Repositories } from '../../ports/storage.js';
import type { Logger, Telemetry } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';
import type { InboxObserver } from './hand-over-task.js';
import type { InboxItem } from './rules.js';

const REFUSED = 'The host refused inbox items. The others were received; these are retried later.';
const OUTAGE =
  'The host refused all inbox items of a hand-over. Nothing is lost; they are handed over again.';

/** The ids in a line of the log. Each begins with the id of its application. */
const MOST_NAMED = 20;

export function observeInboxHandOver(telemetry: Telemetry, logger: Logger): InboxObserver {
  const received = telemetry.counter({
    name: 'partner_hiring.inbox.received',
    unit: '{item}',
    description: 'Inbox items that the host received.',
    attributes: ['partner_hiring.inbox.kind'],
  });
  const refused = telemetry.counter({
    name: 'partner_hiring.inbox.refused',
    unit: '{item}',
    description: 'Inbox items that the host refused.',
  });
  const parked = telemetry.counter({
    name: 'partner_hiring.inbox.parked',
    unit: '{item}',
    description: 'Inbox items that were parked after a day of refusals.',
  });
  return {
    received: (items) => {
      for (const [kind, count] of countKinds(items)) received(count, { 'partner_hiring.inbox.kind': kind });
    },
    refused: (refusal, items, isOutage) => {
      refused(items.length, {});
      const itemIds = items.slice(0, MOST_NAMED);
      logger.error({ refusal, items: items.length, itemIds }, isOutage ? OUTAGE : REFUSED);
    },
    parked: (count) => parked(count, {}),
  };
}

function countKinds(items: readonly InboxItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const GAUGES = [
  {
    name: 'partner_hiring.inbox.unread',
    unit: '{item}',
    description: 'Inbox items that the host has not received, up to 10,000.',
  },
  {
    name: 'partner_hiring.inbox.age',
    unit: 's',
    description: 'Age of the oldest inbox item that is not received or parked.',
  },
] as const;

/** Registers the gauges of the inbox. Returns a function that unregisters them. */
export function observeInboxSize(
  telemetry: Telemetry,
  { inbox }: Pick<Repositories, 'inbox'>,
  storageClock: Pick<StorageClock, 'sync'>,
  logger: Logger,
): () => void {
  return telemetry.observe(GAUGES, async () => {
    try {
      const { unread, oldestUnreadAt } = await inbox.counts();
      const age = oldestUnreadAt === null ? 0 : Math.max(0, (await storageClock.sync()) - oldestUnreadAt);
      return [unread, age / 1_000];
    } catch (err) {
      logger.error({ err }, 'Reading the size of the inbox failed.');
      return null;
    }
  });
}
