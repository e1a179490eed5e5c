import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import { answered, createRecordingTransport } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import type { StoredEndpoint } from '../domain/endpoint.js';
import type { PartnerEvent } from '../domain/event.js';
import { createSigner } from '../domain/signature.js';
import { OperatorError } from '../errors.js';
import type { SecretBox } from '../ports/host-services.js';
import { type AttemptObserver, attempt, openSigners, SecretsUnreadable } from './attempt.js';

const EVENT: PartnerEvent = {
  id: 'evt_1',
  keyId: 'key_1',
  type: 'job.closed',
  at: STORY_START,
  body: '{"id":"evt_1","title":"Café"}',
};

describe('attempt', () => {
  it('posts the stored bytes with a new signature and timestamp', async () => {
    const { ports, transport, clock } = setUp();
    const first = await attempt(ports, endpointWith([['new', null]]), EVENT);
    await clock.advance(60_999);
    await attempt(ports, endpointWith([['new', null]]), EVENT);
    const seconds = STORY_START / 1_000;

    expect(first).toEqual({ outcome: answered(200), endedAt: STORY_START, latencyMs: 0 });
    expect(transport.attempts.map(({ body }) => body)).toEqual([EVENT.body, EVENT.body]);
    expect(transport.attempts.map(({ headers }) => headers)).toEqual(
      [seconds, seconds + 60].map((t) => ({
        Accept: '*/*',
        'Content-Type': 'application/json',
        'User-Agent': expect.stringContaining('Partner-Hiring'),
        'X-Partner-Timestamp': String(t),
        'X-Partner-Signature': `t=${t},v1=${createSigner('new')(t, EVENT.body)}`,
      })),
    );
  });

  it('signs with both secrets during a rotation, the new one first', async () => {
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

  it('rethrows an error of the transport and reports it to the observer', async () => {
    const { ports } = setUp();
    const broken = new Error('The transport is broken.');
    const reported: unknown[] = [];
    const observer: AttemptObserver = {
      begin: () => ({
        run: (post) => post(),
        end: (outcome) => reported.push(outcome),
        broke: () => reported.push('broke'),
      }),
    };
    const endpoint = endpointWith([['new', null]]);
    await attempt({ ...ports, observer }, endpoint, EVENT);
    const transport = { post: () => Promise.reject(broken), close: async () => {} };
    await expect(attempt({ ...ports, observer, transport }, endpoint, EVENT)).rejects.toBe(broken);
    expect(reported).toEqual([answered(200), 'broke']);
  });

  it('returns a latency of 0 when the clock is set back', async () => {
    const { ports, clock } = setUp();
    const post = async () => {
      clock.setBack(5_000);
      return answered(200);
    };
    const transport = { post, close: async () => {} };
    const end = await attempt({ ...ports, transport }, endpointWith([['new', null]]), EVENT);
    expect(end).toMatchObject({ latencyMs: 0, endedAt: STORY_START - 5_000 });
  });

  it('sends nothing if a secret cannot be decrypted or none is valid', async () => {
    const { ports, transport } = setUp();
    await expect(attempt(ports, endpointWith([['foreign', null]]), EVENT)).rejects.toThrow(SecretsUnreadable);
    await expect(attempt(ports, endpointWith([['old', STORY_START]]), EVENT)).rejects.toThrow(
      SecretsUnreadable,
    );
    expect(transport.attempts).toEqual([]);
  });
});

describe('openSigners', () => {
  it('decrypts a secret once per endpoint object and secret box', async () => {
    const endpoint = endpointOf('sealed');
    const [one, other] = [boxOf(() => 'one'), boxOf(() => 'other')];
    const signatures = await Promise.all(
      [one, one, other, other].map(async ({ secretBox }) =>
        (await openSigners(secretBox, endpoint, 0)).map((sign) => sign(7, 'body')),
      ),
    );
    const [byOne, byOther] = ['one', 'other'].map((secret) => [createSigner(secret)(7, 'body')]);
    expect(signatures).toEqual([byOne, byOne, byOther, byOther]);
    const use = { purpose: 'webhook_signing_secret', keyId: 'key_1' };
    expect([one.asked, other.asked]).toEqual([[['sealed', use]], [['sealed', use]]]);
  });

  it.each([
    [
      'passes on the message of an OperatorError',
      new OperatorError('MISCONFIGURED', 'The box must answer with a text.'),
      /^The box must answer with a text\.$/,
    ],
    [
      'names the key to give after any other error',
      new Error('bad decrypt'),
      /Give this process the key that sealed it/,
    ],
  ])('%s when a secret cannot be decrypted', (_, cause, message) => {
    const { secretBox } = boxOf(() => {
      throw cause;
    });
    const error = thrownBy(() => openSigners(secretBox, endpointOf('sealed'), 0));
    expect(error).toBeInstanceOf(SecretsUnreadable);
    expect(error).toMatchObject({ message: expect.stringMatching(message), cause });
  });
});

function endpointWith(secrets: readonly (readonly [string, number | null])[]): StoredEndpoint {
  return {
    ...SAMPLE_ENDPOINT,
    secrets: secrets.map(([secret, expiresAt]) => ({ sealed: `sealed:${secret}`, createdAt: 0, expiresAt })),
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

function boxOf(open: (sealed: string) => string) {
  const asked: unknown[] = [];
  const secretBox: SecretBox = {
    seal: (secret) => secret,
    open: (sealed, use) => {
      asked.push([sealed, use]);
      return open(sealed);
    },
  };
  return { secretBox, asked };
}

const endpointOf = (...sealed: readonly string[]): StoredEndpoint => ({
  ...SAMPLE_ENDPOINT,
  secrets: sealed.map((each) => ({ sealed: each, createdAt: 0, expiresAt: null })),
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
