import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { ShownFigure } from '../../view/figures.js';
import { countText, durationText, type Tone } from '../../view/parts.js';
import type { OverviewFigures } from './read-figures.js';

/** A figure of the overview. The script refreshes its value by its name. */
export interface OverviewFigure extends ShownFigure {
  readonly live: string;
}

/** More than this, and the workers do not keep up. */
export const LATE_MS = 60_000;

/** Chooses the figures that the actor may see, with links to their causes. */
export function shownFigures(
  call: Pick<ScreenCall, 'link'>,
  { counts, slowed, inbox, inboxLagMs, running, workersAlive }: OverviewFigures,
): readonly OverviewFigure[] {
  const shown: OverviewFigure[] = [];
  const show = (live: string, label: string, value: string, href: string | null, tone: Tone = 'calm') =>
    void shown.push({ live, label, value, href, tone });
  const system = call.link('system', '');
  const refused = system === null ? null : `${system}#refused`;
  if (counts !== null) {
    const deliveries = (filter: Readonly<Record<string, string>>) => call.link('deliveries', '', filter);
    const count = (value: number) => countText(value, counts.isExact);
    const isLate = (counts.oldestDueMs ?? 0) > LATE_MS;
    show('due', LABELS.endpoint.due, count(counts.due), deliveries({ waits: 'due' }));
    show('oldest', 'Oldest due', durationText(counts.oldestDueMs), null, isLate ? 'warn' : 'calm');
    show('scheduled', LABELS.endpoint.scheduled, count(counts.scheduled), deliveries({ waits: 'later' }));
    show(
      'paused',
      LABELS.endpoint.held,
      count(counts.paused),
      deliveries({ waits: 'held' }),
      toneOf(counts.paused, 'warn'),
    );
    const dead = deliveries({ state: 'dead' });
    show('dead', LABELS.all.deadLetters, count(counts.dead), dead, toneOf(counts.dead, 'bad'));
  }
  if (slowed !== null)
    show('slowed', 'Endpoints sent to slowly', countText(slowed), call.link('endpoints', ''));
  if (inbox !== null) {
    const label = inbox.isOn ? 'Unread in the inbox' : 'Unread in the inbox (off)';
    show('unread', label, countText(inbox.unread, inbox.isExact), refused);
    show('parked', 'Parked in the inbox', countText(inbox.parked), refused, toneOf(inbox.parked, 'bad'));
  }
  if (inboxLagMs !== null) {
    show('lag', 'Inbox lag', durationText(inboxLagMs), system, inboxLagMs > LATE_MS ? 'warn' : 'calm');
  }
  if (workersAlive !== null) {
    show(
      'workers',
      LABELS.all.workersAlive,
      countText(workersAlive),
      system,
      workersAlive === 0 ? 'bad' : 'calm',
    );
  }
  if (running !== null)
    show(
      'running',
      LABELS.all.runningOperations,
      countText(running),
      call.link('operations', '', { state: 'running' }),
    );
  return shown;
}

function toneOf(count: number, tone: Tone): Tone {
  return count > 0 ? tone : 'calm';
}
