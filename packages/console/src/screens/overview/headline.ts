import { countText, durationText, type Tone } from '../../view/parts.js';
import type { FailingPartners, OverviewFigures } from './read-figures.js';
import { LATE_MS } from './shown-figures.js';

/** As the alert of the inbox: an item that waits longer has been refused, or the platform does not answer. */
const INBOX_LATE_MS = 10 * 60_000;

/** The first sentence of the overview: what is wrong, or that all is well. */
export interface Headline {
  readonly text: string;
  readonly tone: Tone;
}

/** Writes the headline: what needs help first, then what waits. Null if the actor may see nothing of it. */
export function headlineOf(
  figures: OverviewFigures,
  failing: FailingPartners | null,
  syncTroubles: readonly string[] = [],
): Headline | null {
  const { counts, inbox, inboxLagMs, workersAlive, isSilent = false } = figures;
  const seesNothing = [counts, inbox, workersAlive, failing].every((part) => part === null);
  if (seesNothing && syncTroubles.length === 0) return null;
  const bad = [
    isSilent ? 'nothing is sent, because the database belongs to another deployment (see System)' : null,
    workersAlive === 0 ? 'no worker runs, so nothing is sent' : null,
    inboxLagMs === null || inboxLagMs <= INBOX_LATE_MS
      ? null
      : `an inbox item has waited for ${durationText(inboxLagMs)}`,
    failing === null ? null : failingText(failing),
    some(counts?.dead, counts?.isExact, 'delivery has', 'deliveries have', 'failed ten times'),
    some(inbox?.parked, true, 'inbox item is', 'inbox items are', 'parked'),
  ].filter((text) => text !== null);
  const late = counts?.oldestDueMs ?? 0;
  const warn = [
    ...syncTroubles,
    some(counts?.paused, counts?.isExact, 'delivery is', 'deliveries are', 'held by a pause'),
    late > LATE_MS ? `the oldest delivery is ${durationText(late)} late` : null,
    some(counts?.scheduled, counts?.isExact, 'delivery is', 'deliveries are', 'scheduled for later'),
  ].filter((text) => text !== null);
  const text = [...bad, ...warn].join('; ');
  if (text === '') return { text: 'All is well: nothing fails, and nothing is held back.', tone: 'good' };
  return { text: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, tone: bad.length > 0 ? 'bad' : 'warn' };
}

function failingText({ failing, isExact, all, isAllExact }: FailingPartners): string | null {
  if (failing === 0) return null;
  const of = all === null ? '' : ` of ${countText(all, isAllExact)}`;
  const isOne = (all ?? failing) === 1;
  return `${countText(failing, isExact)}${of} ${isOne ? 'partner' : 'partners'} ${failing === 1 ? 'has' : 'have'} failing endpoints`;
}

function some(
  count: number | undefined,
  isExact: boolean | undefined,
  one: string,
  many: string,
  rest: string,
): string | null {
  if (count === undefined || count === 0) return null;
  return `${countText(count, isExact)} ${count === 1 ? one : many} ${rest}`;
}
