import type { CollectedAlert, KeyAlert, NewAlert, StoredAlert } from '../../domain/alert.js';
import type { AlertId } from '../../domain/ids.js';
import { HOUR_MS } from '../../domain/time.js';
import { isMessageCollected } from './message-rules.js';

/** A partner can cause hundreds of messages to its contact in a few seconds. An hour is short enough to act on a theft. */
const COLLECTED_MS = HOUR_MS;

/**
 * Decides which new alerts wait with their message. The first of a kind about a key does not wait, and opens an alert
 * that collects the messages of the following hour.
 * @param open - the collecting alerts of the keys that no worker has claimed
 * @returns the alerts to store: the new ones, and the collecting ones that are new or have changed
 */
export function collectMessages(
  alerts: readonly NewAlert[],
  open: readonly CollectedAlert[],
): readonly StoredAlert[] {
  const changed = new Map<AlertId, CollectedAlert>();
  const stored = alerts.map((alert): StoredAlert => {
    if (!isMessageCollected(alert)) return alert;
    const found = [...changed.values(), ...open].find((each) => collects(each, alert));
    const collected = found === undefined ? collectionAfter(alert) : withMessage(found, alert);
    changed.set(collected.id, collected);
    return found === undefined ? alert : { ...alert, isHeld: true };
  });
  return [...stored, ...changed.values()];
}

function collects({ keyId, at: endsAt, last }: CollectedAlert, { keyId: of, kind, at }: KeyAlert): boolean {
  return keyId === of && last.kind === kind && endsAt - COLLECTED_MS <= at && at < endsAt;
}

function collectionAfter(first: KeyAlert): CollectedAlert {
  const { id, keyId, at } = first;
  const endsAt = at + COLLECTED_MS;
  return {
    id: `${id}_more`,
    kind: 'messages_collected',
    keyId,
    at: endsAt,
    count: 0,
    since: at,
    last: first,
  };
}

function withMessage(collected: CollectedAlert, last: KeyAlert): CollectedAlert {
  const { count, since } = collected;
  return { ...collected, count: count + 1, since: count === 0 ? last.at : since, last };
}
