/** The contact of a partner is told once of each transition, also with several workers and after a crash. */

import { passUntil } from '@partner-hiring/test-support/clock';
import { perTest } from '@partner-hiring/test-support/per-test';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { PartnerMessage } from '../../../packages/core/src/domain/alert.js';
import type { KeyId } from '../../../packages/core/src/domain/ids.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { openStage } from './stage.js';

const stage = perTest(openStage, ({ close }) => close());
const CONTACT = { name: 'Robin Field', email: 'robin@ats.example' };
const MESSAGES = { portalUrl: 'https://hiring.example.com/portal' };

const worker = () => stage.worker(MESSAGES);

/** Drains two workers at the same time, and then a third one. */
async function drainAll(): Promise<void> {
  await passUntil(stage.clock, Promise.all([worker().drain(), worker().drain()]));
  await worker().drain();
}

/** Passes time in steps, with new worker processes in each. */
async function pass(ms: number, stepMs: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await stage.clock.advance(Math.min(left, stepMs));
    await drainAll();
  }
}

/** The warnings come after one hour and after 21.6 hours, and the pause with a failure after 24 hours. */
async function failUntilPaused(): Promise<void> {
  await pass(20 * HOUR_MS, 10 * HOUR_MS);
  await pass(2 * HOUR_MS, 2 * HOUR_MS);
  await pass(36 * HOUR_MS, 12 * HOUR_MS);
}

async function toldKey(): Promise<KeyId> {
  const keyId = await stage.key();
  const { keys, partners } = stage.storage.direct;
  const key = await keys.find(keyId);
  const partner = key && (await partners.find(key.partnerId));
  if (partner === null) throw new Error('The key has a partner.');
  await partners.save({ ...partner, contact: CONTACT });
  return keyId;
}

function messages(): readonly PartnerMessage[] {
  return stage.alerts.flatMap((alert) => ('message' in alert ? (alert.message ?? []) : []));
}

const subjects = () => messages().map(({ subject }) => subject);

const SOON = 'We will soon stop sending to your production webhook endpoint';
const FAILS = 'We cannot reach your production webhook endpoint';
const STOPPED = 'We have stopped sending to your production webhook endpoint';
const LOST = 'We could not deliver an event to your production webhook endpoint';

describe('the contact is told', () => {
  it('before and after a pause, once each by two workers, and again after a resume', async () => {
    const keyId = await toldKey();
    stage.transport.answerWith(() => answered(503));
    await stage.record(keyId);
    await drainAll();
    await failUntilPaused();
    expect(subjects()).toEqual([FAILS, SOON, STOPPED]);
    expect(messages()[2]).toMatchObject({
      to: { name: 'Robin Field', address: 'robin@ats.example' },
      link: `https://hiring.example.com/portal/endpoints/${keyId}`,
      text: expect.stringMatching(/^Hello Robin Field,[\s\S]*resume sending in the portal/),
    });
    await pass(2 * DAY_MS, DAY_MS);
    expect(subjects()).toHaveLength(3);
    await stage.resume(keyId);
    await failUntilPaused();
    expect(subjects()).toEqual([FAILS, SOON, STOPPED, FAILS, SOON, STOPPED]);
  });

  it('once of a burst of dead letters, and again a day later', async () => {
    const keyId = await toldKey();
    // Every fourth event is accepted, so that nothing waits behind a gap.
    let sent = 0;
    stage.transport.answerWith(() => {
      sent += 1;
      return answered(sent % 4 === 0 ? 200 : 500);
    });
    const { direct } = stage.storage;
    const dueNow = async () => {
      const events = await stage.record(keyId, 20);
      const at = stage.clock.now();
      await direct.deliveries.save(
        events.map((event) => ({
          keyId,
          eventId: event.id,
          eventAt: event.at,
          state: 'pending',
          attempts: 9,
          cycle: 1,
          dueAt: at,
          pendingSince: event.at,
          lastAttemptAt: at,
          lastOutcome: answered(500),
          lastLatencyMs: 1,
        })),
      );
      await direct.endpoints.advanceWatermark(keyId, events.at(-1)?.at ?? 0);
      await drainAll();
    };
    await dueNow();
    const dead = () => stage.alerts.filter(({ kind }) => kind === 'delivery_dead').length;
    expect([dead(), subjects()]).toEqual([15, [LOST]]);
    await stage.clock.advance(DAY_MS - MINUTE_MS);
    await dueNow();
    expect([dead(), subjects()]).toEqual([30, [LOST]]);
    await stage.clock.advance(MINUTE_MS);
    await dueNow();
    expect([dead(), subjects()]).toEqual([45, [LOST, LOST]]);
    expect(messages()[0]?.link).toBe('https://hiring.example.com/portal/deliveries');
  });

  it('after a crash between the commit and the message, with the contact as it is then', async () => {
    const keyId = await toldKey();
    await stage.record(keyId);
    stage.transport.answerWith(() => answered(410));
    const neverAnswers = stage.worker({ alerts: { alert: () => new Promise(() => {}) } });
    void neverAnswers.drain();
    await stage.clock.advance(1_000);
    const { partners, keys } = stage.storage.direct;
    const partner = await partners.find((await keys.find(keyId))?.partnerId ?? 'ptn_none');
    if (partner === null) throw new Error('The key has a partner.');
    await partners.save({ ...partner, contact: { ...CONTACT, name: 'Kim Ash' } });
    await stage.clock.advance(10 * MINUTE_MS);
    await drainAll();
    await pass(HOUR_MS, HOUR_MS);
    expect(messages().map(({ to }) => to.name)).toEqual(['Kim Ash']);
  });

  it('of pauses after the first within the hour in one message, as the contact is then', async () => {
    const keyId = await toldKey();
    const { direct, transaction } = stage.storage;
    const at = stage.clock.now();
    const pause = (id: number, minutes: number) =>
      transaction((tx) =>
        tx.alerts.add([
          {
            id: `alr_${id}`,
            kind: 'endpoint_paused',
            keyId,
            origin: 'https://ats.example',
            reason: 'gone',
            at: at + minutes * MINUTE_MS,
          },
        ]),
      );
    const partner = await direct.partners.find((await direct.keys.find(keyId))?.partnerId ?? 'ptn_none');
    if (partner === null) throw new Error('The key has a partner.');
    await pause(1, 0);
    await pause(2, 1);
    await drainAll();
    await pause(3, 2);
    await drainAll();
    expect([stage.alerts.length, subjects()]).toEqual([3, [STOPPED]]);
    await direct.partners.save({ ...partner, contact: { ...CONTACT, name: 'Kim Ash' } });
    await pass(HOUR_MS - MINUTE_MS, HOUR_MS);
    expect(subjects()).toHaveLength(1);
    await pass(MINUTE_MS, MINUTE_MS);
    expect(messages().map(({ to }) => to.name)).toEqual(['Robin Field', 'Kim Ash']);
    expect(messages()[1]?.text).toContain('stands for 2 of its kind');
    expect(stage.alerts.at(-1)).toMatchObject({ kind: 'messages_collected', keyId, count: 2 });
    // Without a contact, nobody gets what was collected, and the host has had each alert.
    await pause(4, 61);
    await pause(5, 62);
    await drainAll();
    await direct.partners.save({ ...partner, contact: null });
    await pass(2 * HOUR_MS, HOUR_MS);
    expect([stage.alerts.length, messages().length]).toEqual([6, 3]);
    expect((await direct.work.findNext(false)).dueAt).toBeNull();
  });

  it('only if there is a contact, and otherwise the alert is as before', async () => {
    await stage.record(await stage.key());
    stage.transport.answerWith(() => answered(410));
    await drainAll();
    expect(stage.alerts).toHaveLength(1);
    expect(stage.alerts[0]).not.toHaveProperty('message');
    expect(stage.alerts[0]).not.toHaveProperty('contact');
  });
});

it('an error of the host about a message is logged without the contact', async () => {
  const keyId = await toldKey();
  await stage.record(keyId);
  stage.transport.answerWith(() => answered(410));
  const mailer = (message = '') =>
    new Error(`Mailbox of ROBIN FIELD refused: ${message}`, { cause: new Error('550 robin@ats.example') });
  const alerts = { alert: async (alert: object) => Promise.reject(mailer(JSON.stringify(alert))) };
  await stage.worker({ alerts }).drain();
  expect(stage.errors).toHaveLength(1);
  const [{ err, alert }] = stage.errors as [{ readonly err: Error; readonly alert: object }];
  const logged = [String(err.message), String((err.cause as Error).message), JSON.stringify(alert)].join(
    '\n',
  );
  expect(logged).toContain('endpoint_paused');
  expect(logged).toMatch(/refused/);
  expect(logged).not.toMatch(/robin|field/i);
});
