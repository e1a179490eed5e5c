import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { answered, createRecordingTransport } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { type Endpoint, FRESH_HEALTH } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { createSigner } from '../domain/signature.js';
import { attempt } from './attempt.js';
import type { AttemptObserver } from './attempt-observer.js';
import { SecretsUnreadable } from './open-signers.js';

const EVENT: PartnerEvent = {
  id: 'evt_1',
  keyId: 'key_1',
  type: 'job.closed',
  at: STORY_START,
  body: '{"id":"evt_1","title":"Café"}',
};

describe('attempt', () => {
  it('posts the stored bytes with a signature and a time of its own', async () => {
    const { ports, transport, clock } = setUp();
    const first = await attempt(ports, endpointWith([['new', null]]), EVENT);
    await clock.advance(60_999);
    await attempt(ports, endpointWith([['new', null]]), EVENT);
    const seconds = STORY_START / 1_000;

    expect(first).toEqual({ outcome: answered(200), endedAt: STORY_START, latencyMs: 0 });
    expect(transport.attempts.map(({ body }) => body)).toEqual([EVENT.body, EVENT.body]);
    expect(transport.attempts.map(({ headers }) => headers)).toEqual(
      [seconds, seconds + 60].map((t) => ({
        'Content-Type': 'application/json',
        'User-Agent': expect.stringContaining('Partner-Hiring'),
        'X-Partner-Timestamp': String(t),
        'X-Partner-Signature': `t=${t},v1=${createSigner('new')(t, EVENT.body)}`,
      })),
    );
  });

  it('signs with both secrets during a rotation, the new one first, and with one after it', async () => {
    const { ports, transport, clock } = setUp();
    const endpoint = endpointWith([
      ['new', null],
      ['old', STORY_START + 1],
    ]);
    await attempt(ports, endpoint, EVENT);
    await clock.advance(1);
    await attempt(ports, endpoint, EVENT);
    const t = STORY_START / 1_000;
    const [v1, old] = [createSigner('new')(t, EVENT.body), createSigner('old')(t, EVENT.body)];
    expect(transport.attempts.map(({ headers }) => headers['X-Partner-Signature'])).toEqual([
      `t=${t},v1=${v1},v1=${old}`,
      `t=${t},v1=${v1}`,
    ]);
  });

  it('ends as a time-out where the transport never does, long after any that does', async () => {
    const { ports, clock } = setUp();
    const ends: unknown[] = [];
    const transport = { post: () => new Promise<never>(() => {}), close: async () => {} };
    void attempt({ ...ports, transport }, endpointWith([['new', null]]), EVENT).then((end) => ends.push(end));
    await clock.advance(299_999);
    expect(ends).toEqual([]);
    await clock.advance(150_001);
    expect(ends).toMatchObject([{ outcome: { kind: 'failed', failure: 'timed_out' }, latencyMs: 450_000 }]);
  });

  it('keeps one timer for all that are under way', async () => {
    const { ports, clock } = setUp();
    let timers = 0;
    const sleep: typeof clock.sleep = (...asked) => {
      timers += 1;
      return clock.sleep(...asked);
    };
    const transport = { post: () => new Promise<never>(() => {}), close: async () => {} };
    const counted = { ...ports, transport, clock: { ...clock, sleep } };
    for (const name of ['first', 'second'])
      void attempt(counted, endpointWith([[name, null]]), EVENT).catch(() => {});
    expect(timers).toBe(1);
  });

  it('throws what the transport does, which it must not: that is no time-out', async () => {
    const { ports } = setUp();
    const broken = new Error('The transport is broken.');
    const told: unknown[] = [];
    const observer: AttemptObserver = {
      begin: () => ({
        run: (post) => post(),
        end: (outcome) => told.push(outcome),
        broke: () => told.push('broke'),
      }),
    };
    const endpoint = endpointWith([['new', null]]);
    await attempt({ ...ports, observer }, endpoint, EVENT);
    const transport = { post: () => Promise.reject(broken), close: async () => {} };
    await expect(attempt({ ...ports, observer, transport }, endpoint, EVENT)).rejects.toBe(broken);
    expect(told).toEqual([answered(200), 'broke']);
  });

  it('lasts no less than nothing where the clock is set back meanwhile', async () => {
    const { ports, clock } = setUp();
    const post = async () => {
      clock.setBack(5_000);
      return answered(200);
    };
    const transport = { post, close: async () => {} };
    const end = await attempt({ ...ports, transport }, endpointWith([['new', null]]), EVENT);
    expect(end).toMatchObject({ latencyMs: 0, endedAt: STORY_START - 5_000 });
  });

  it('sends nothing if a secret cannot be opened, or none is valid', async () => {
    const { ports, transport } = setUp();
    await expect(attempt(ports, endpointWith([['foreign', null]]), EVENT)).rejects.toThrow(SecretsUnreadable);
    await expect(attempt(ports, endpointWith([['old', STORY_START]]), EVENT)).rejects.toThrow(
      SecretsUnreadable,
    );
    expect(transport.attempts).toEqual([]);
  });
});

function endpointWith(secrets: readonly (readonly [string, number | null])[]): Endpoint {
  return {
    keyId: 'key_1',
    url: 'https://partner.example/hooks',
    state: { kind: 'active' },
    health: FRESH_HEALTH,
    secrets: secrets.map(([secret, expiresAt]) => ({ sealed: `sealed:${secret}`, expiresAt })),
    createdAt: 0,
  };
}

function setUp() {
  const clock = createFakeClock();
  const transport = createRecordingTransport();
  const secretBox = {
    seal: (secret: string) => `sealed:${secret}`,
    open(sealed: string) {
      if (sealed.includes('foreign')) throw new Error('It was sealed with another key.');
      return sealed.replace('sealed:', '');
    },
  };
  return { clock, transport, ports: { transport, secretBox, clock, storageClock: clock } };
}
