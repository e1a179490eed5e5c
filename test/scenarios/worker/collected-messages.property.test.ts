/** A partner that acts often floods nobody: messages of one kind are collected for an hour, and none is lost. */

import { passUntil } from '@partner-hiring/test-support/clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type NewKeyAlert,
  type OperatorAlert,
  secretRotatedAlert,
  urlChangedAlert,
} from '../../../packages/core/src/domain/alert.js';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openStage, type Stage } from './stage.js';

const KEYS = 2;
const CONTACT = { name: 'Robin Field', email: 'robin@ats.example' };
const OLD = 'https://ats.example/hooks';

type Act = 'rotate' | 'new_path' | 'new_host';
type Step =
  | { readonly do: 'act'; readonly act: Act; readonly key: number; readonly times: number }
  | { readonly do: 'pass'; readonly minutes: number }
  | { readonly do: 'drain'; readonly workers: number }
  | { readonly do: 'die'; readonly isSent: boolean };

const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      act: fc.constantFrom<Act>('rotate', 'new_path', 'new_host'),
      key: fc.integer({ min: 0, max: KEYS - 1 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      minutes: fc.constantFrom(1, 20, 40, 59, 60, 61),
    }),
  },
  fc.record({ do: fc.constant('drain' as const), workers: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('die' as const), isSent: fc.boolean() }),
);

it('sends the first message at once, the rest of its hour as one, urgent ones each, and loses none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 6, maxLength: 24 }), async (steps) => {
      const stage = await openStage();
      try {
        await play(stage, steps);
      } finally {
        await stage.close();
      }
    }),
    { numRuns: 10 },
  );
});

async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  const keys: KeyId[] = [];
  for (let count = 0; count < KEYS; count += 1) keys.push(await toldKey(stage));
  const acts: NewKeyAlert[] = [];
  const drain = (workers: number) => {
    const drained = Array.from({ length: workers }, () => stage.worker().drain());
    return passUntil(stage.clock, Promise.all(drained));
  };
  for (const step of steps) {
    if (step.do === 'pass') await stage.clock.advance(step.minutes * MINUTE_MS);
    else if (step.do === 'drain') await drain(step.workers);
    else if (step.do === 'die') await die(stage, step.isSent);
    else {
      for (let time = 0; time < step.times; time += 1) {
        const alert = alertOf(stage, step.act, keys[step.key] ?? 'key_none');
        acts.push(alert);
        await stage.storage.transaction((tx) => tx.alerts.add([alert]));
      }
    }
  }
  for (let half = 0; half < 4; half += 1) {
    await drain(2);
    await stage.clock.advance(HOUR_MS / 2);
  }
  await drain(1);

  const sent = new Map(stage.alerts.map((alert) => [alert.id, alert]));
  expect([...sent.values()].map(outlineOf).sort()).toEqual(expectedOf(acts).sort());
  // A worker that dies after it has sent repeats the same alert.
  for (const alert of stage.alerts) expect(alert).toEqual(sent.get(alert.id));
}

async function toldKey(stage: Stage): Promise<KeyId> {
  const keyId = await stage.key();
  const { keys, partners } = stage.storage.direct;
  const partner = await partners.find((await keys.find(keyId))?.partnerId ?? 'ptn_none');
  if (partner === null) throw new Error('The key has a partner.');
  await partners.save({ ...partner, contact: CONTACT });
  return keyId;
}

function alertOf({ clock, runtime }: Stage, act: Act, keyId: KeyId): NewKeyAlert {
  const [id, at] = [runtime.ids.next('alert'), clock.now()];
  const by = { id, at, door: 'api' } as const;
  if (act === 'rotate') return secretRotatedAlert({ keyId, url: OLD }, { ...by, oldSecretsExpireAt: at });
  const url = act === 'new_path' ? `${OLD}/other` : 'https://new.example';
  return urlChangedAlert({ keyId, url }, { url: OLD }, by);
}

/** A worker that claims alerts and dies, before or after the host has them, and until its leases end. */
async function die(stage: Stage, isSent: boolean): Promise<void> {
  const { direct, transaction } = stage.storage;
  const settle = () => new Promise<never>(() => {});
  const alerts = { ...direct.alerts, settle };
  const storage = { direct: { ...direct, alerts }, transaction };
  const hangs = { alert: () => new Promise<never>(() => {}) };
  void stage.worker({ storage, ...(isSent ? {} : { alerts: hangs }) }).drain();
  await stage.clock.advance(10 * MINUTE_MS);
}

/** The id of an alert, and whether it has a message, or what its message collects. */
function outlineOf(alert: OperatorAlert): string {
  const message = 'message' in alert && alert.message !== undefined ? 'told' : 'not told';
  if (alert.kind !== 'messages_collected') return `${alert.id} ${message}`;
  return `${alert.count} of ${alert.since} up to ${alert.last.id} at ${alert.at} ${message}`;
}

/** What the host gets of the acts. */
function expectedOf(acts: readonly NewKeyAlert[]): string[] {
  const hours = new Map<string, { endsAt: number; held: NewKeyAlert[] }[]>();
  const own = acts.map((act) => {
    const name = `${act.keyId} ${act.kind}`;
    const hoursOfKind = hours.get(name) ?? [];
    hours.set(name, hoursOfKind);
    if (act.kind === 'endpoint_url_changed' && !act.isSameHost) return `${act.id} told`;
    const hour = hoursOfKind.at(-1);
    if (hour !== undefined && act.at < hour.endsAt) {
      hour.held.push(act);
      return `${act.id} not told`;
    }
    hoursOfKind.push({ endsAt: act.at + HOUR_MS, held: [] });
    return `${act.id} told`;
  });
  const collected = [...hours.values()].flat().flatMap(({ endsAt, held }) => {
    const [first, last] = [held[0], held.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [`${held.length} of ${first.at} up to ${last.id} at ${endsAt} told`];
  });
  return [...own, ...collected];
}
