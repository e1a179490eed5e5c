import type { EventId, KeyId } from '@partner-hiring/core';
import type { ScreenAction } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { countText, type FactRow } from '../../view/parts.js';
import { pauseFacts } from '../endpoints/pause-words.js';
import { defineAct, goTo, type Question, RefusedAct } from '../parts/define-act.js';
import { nameOf } from '../parts/names.js';
import { resendTitle } from '../parts/resend-selection.js';

/** Events of one key. */
interface ChosenEvents {
  readonly keyId: KeyId;
  readonly eventIds: readonly EventId[];
}

/** Resends the chosen events, after a confirmation. */
export const resendChosen = defineAct<readonly ChosenEvents[]>({
  back: (call) => call.at('/deliveries'),
  find: ({ form }) => {
    const groups = readChosen(form.all('chosen'));
    if (groups.length === 0) throw new RefusedAct('choose-deliveries');
    return groups;
  },
  ask,
  run: async (groups, call) => {
    let count = 0;
    let held = 0;
    let skipped = 0;
    let missing = 0;
    for (const group of groups) {
      const sent = await call.gate.call('deliveries.resend', group);
      count += sent.count - sent.held;
      held += sent.held;
      skipped += sent.skipped;
      missing += sent.missing.length;
    }
    const [only, ...others] = groups;
    // Those of several keys that were accepted at once are no longer pending.
    const filter = only === undefined || others.length > 0 ? { state: 'pending' } : { key: only.keyId };
    return goTo(
      call.at('/deliveries', filter),
      ...(held > 0 && count === 0 ? [] : [['events-sent', count] as const]),
      ...(held === 0 ? [] : [['events-held', held] as const]),
      ...(skipped === 0 ? [] : [['events-due', skipped] as const]),
      ...(missing === 0 ? [] : [['events-missing', missing] as const]),
    );
  },
});

/** Groups the values of the check boxes by key. Ignores values that the console's pages never send. */
function readChosen(values: readonly string[]): readonly ChosenEvents[] {
  const byKey = new Map<KeyId, Set<EventId>>();
  for (const value of values) {
    const [keyId = '', eventId = ''] = value.split(' ');
    if (!keyId.startsWith('key_') || !eventId.startsWith('evt_')) continue;
    const events = byKey.get(keyId as KeyId) ?? new Set();
    byKey.set(keyId as KeyId, events.add(eventId as EventId));
  }
  return [...byKey].map(([keyId, eventIds]) => ({ keyId, eventIds: [...eventIds] }));
}

async function ask(groups: readonly ChosenEvents[], { gate }: ScreenAction): Promise<Question> {
  const facts: FactRow[] = [];
  let total = 0;
  for (const group of groups) {
    const { count, skipped, missing } = await gate.call('deliveries.resend', { ...group, dryRun: true });
    const label = await nameOf.key(gate, group.keyId);
    const rest = [
      ...(skipped === 0 ? [] : [`${countText(skipped)} due anyway`]),
      ...(missing.length === 0 ? [] : [`${countText(missing.length)} no longer stored`]),
    ];
    facts.push([label ?? group.keyId, [`${countText(count)} to send`, ...rest].join(', ')]);
    facts.push(...(await pauseFacts(gate, group.keyId)));
    total += count;
  }
  return {
    title: resendTitle(total),
    text: `The worker sends ${total === 1 ? 'the event now with the same id' : 'the events now with the same ids'}. A delivered, dead or cancelled one starts ten new attempts.`,
    facts,
    confirm: LABELS.button.resend,
  };
}
