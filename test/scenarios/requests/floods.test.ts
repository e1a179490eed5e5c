/** What a flood, an outage and a full buffer do to the request log. */

import { createPartner, submission, times } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { neutralRequest } from '@partner-hiring/test-support/servers/handler';
import { describe, expect, it } from 'vitest';
import { ROWS_PER_MINUTE, ROWS_WITHOUT_KEY } from '../../../packages/core/src/features/request-log/floods.js';
import { createRequestLog } from '../../../packages/core/src/features/request-log/recorder.js';
import { MAX_WAITING } from '../../../packages/core/src/features/request-log/request-buffer.js';
import type { RequestRecord } from '../../../packages/core/src/features/request-log/rules.js';
import type { AnsweredRequest } from '../../../packages/core/src/http/observer.js';
import { openRequestStage } from './stage.js';

const MINUTE_MS = 60_000;
const FLOOD = process.env.FULL === '1' ? 1_000_000 : 100_000;
const UNLIMITED = { guard: 1_000_000, failed_authentication: 1_000_000, submit_application: 1_000_000 };

const stage = perTest(
  () => openRequestStage({ limits: UNLIMITED, maxInFlightPerKey: 100_000 }),
  (opened) => opened.close(),
);

async function rowsOf(filter: Parameters<typeof stage.fixture.operator.requests.list>[0] = {}) {
  return (await stage.fixture.operator.requests.list({ limit: 1_000, ...filter })).items;
}

const countOf = (rows: readonly RequestRecord[]) => rows.reduce((sum, { count }) => sum + count, 0);

it('a key gets 100 rows per code and minute, then one row with the count of the rest', async () => {
  const { partner, clock, jobId } = stage;
  await times(250, () => partner.submit('{'));
  await partner.get('/nothing');
  const rows = await rowsOf({ keyId: partner.keyId });
  expect(rows).toHaveLength(ROWS_PER_MINUTE + 2);
  const flood = rows.find(({ count }) => count > 1);
  expect(flood).toMatchObject({ code: 'VALIDATION_ERROR', count: 150, fields: ['body: invalid_json'] });
  expect(countOf(rows)).toBe(251);
  await clock.advance(2_000);
  await times(50, () => partner.submit('{'));
  const later = await rowsOf({ keyId: partner.keyId });
  expect(later).toHaveLength(ROWS_PER_MINUTE + 2);
  const grown = later.find(({ count }) => count > 1);
  expect(grown?.requestId).toBe(flood?.requestId);
  expect(grown?.count).toBe(200);
  expect(grown?.lastAt).toBeGreaterThan(grown?.at ?? 0);
  await clock.advance(60_000);
  await partner.submit('{');
  expect(await rowsOf({ keyId: partner.keyId })).toHaveLength(ROWS_PER_MINUTE + 3);
  await times(150, () => partner.submit(submission(jobId)));
  expect(await rowsOf({ keyId: partner.keyId })).toHaveLength(2 * ROWS_PER_MINUTE + 4);
});

it('floods of one key leave the rows of another', async () => {
  const { partner, fixture } = stage;
  const other = await createPartner(fixture);
  await times(300, () => partner.submit('{'));
  await other.submit('{');
  expect(await rowsOf({ keyId: other.keyId })).toHaveLength(1);
});

it('clients without a key are told apart by a hash, and addresses are not stored', async () => {
  const { fixture } = stage;
  const from = (clientAddress: string) =>
    fixture.partnerHiring.handler({ ...neutralRequest('GET', '/api/v1/external/jobs'), clientAddress });
  await times(120, () => from('203.0.113.9'));
  await from('203.0.113.10');
  await from('2001:db8:1:2:3::4');
  await from('2001:db8:1:2:5::6');
  const rows = await rowsOf();
  expect(new Set(rows.map(({ client }) => client)).size).toBe(3);
  expect(rows).toHaveLength(ROWS_PER_MINUTE + 1 + 1 + 2);
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|2001:db8/);
});

/** A log alone: a million requests take seconds. */
function createLogUnderTest(clock = stage.clock) {
  const dropped: number[] = [];
  const added: RequestRecord[] = [];
  let isBroken = false;
  let failures = 0;
  const log = createRequestLog({
    direct: {
      ...stage.storage.direct,
      requests: {
        ...stage.storage.direct.requests,
        add: async (rows) => {
          if (isBroken) throw new Error('Down.');
          added.push(...rows);
        },
        addReads: async () => {},
      },
      hourCounts: { ...stage.storage.direct.hourCounts, add: async () => {} },
    },
    keepsRequests: true,
    runtime: {
      clock,
      random: { bytes: (count) => new Uint8Array(count), fraction: () => 0, token: () => '' },
    },
    storageClock: clock,
    seconds: () => 0,
    observer: {
      dropped: (count) => dropped.push(count),
      failed: () => {
        failures += 1;
      },
    },
  });
  let sent = 0;
  const send = (changes: Partial<AnsweredRequest> = {}) => {
    sent += 1;
    log.answered(
      {
        requestId: `r${sent}`,
        method: 'GET',
        route: '/jobs',
        keyId: null,
        clientAddress: '192.0.2.1',
        status: 401,
        code: 'UNAUTHORIZED',
        fields: [],
        applicationId: null,
        jobId: null,
        isReplay: false,
        readRange: null,
        listedBy: null,
        ...changes,
      },
      0,
    );
  };
  return {
    log,
    send,
    added,
    failures: () => failures,
    dropped: () => dropped.reduce((sum, count) => sum + count, 0),
    break: (value: boolean) => {
      isBroken = value;
    },
    /** The stored rows: a later write of a row replaces the earlier one. */
    stored: () => [...new Map(added.map((row) => [row.requestId, { ...row }])).values()],
  };
}

it(`${FLOOD} refused requests from 100,000 clients grow the log by the bounds only`, {
  timeout: 600_000,
}, async () => {
  const { send, log, stored, dropped } = createLogUnderTest();
  for (let number = 0; number < FLOOD; number += 1) {
    const client = number % 100_000;
    send({ clientAddress: `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}` });
    if (number % 50_000 === 0) await log.flush();
  }
  await log.flush();
  const rows = stored();
  expect(rows.length).toBeLessThanOrEqual(ROWS_WITHOUT_KEY);
  expect(countOf(rows)).toBe(FLOOD);
  expect(dropped()).toBe(0);
});

it('all clients without a key get 1,000 rows a minute together, however many addresses and codes they use', async () => {
  const { clock } = stage;
  const { send, log, stored, dropped } = createLogUnderTest(clock);
  const flood = async () => {
    for (let number = 0; number < 6_000; number += 1)
      send({
        clientAddress: `10.0.${(number % 1_500) >> 8}.${number & 255}`,
        code: `CODE_${number % 7}` as AnsweredRequest['code'],
      });
    for (let number = 0; number < 5; number += 1) send({ keyId: 'key_1' });
    await log.flush();
  };
  await clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS));
  await flood();
  expect(stored().filter(({ keyId }) => keyId === null)).toHaveLength(ROWS_WITHOUT_KEY);
  expect(stored().filter(({ keyId }) => keyId !== null)).toHaveLength(5);
  await flood();
  expect(stored().filter(({ keyId }) => keyId === null)).toHaveLength(ROWS_WITHOUT_KEY);
  expect([countOf(stored()), dropped()]).toEqual([12_010, 0]);
  // The last row stands for all that have none, so it names no client.
  const last = stored().filter(({ count }) => count > 5_000);
  expect(last.map(({ client }) => client)).toEqual([null]);
  await clock.advance(MINUTE_MS);
  await flood();
  expect(stored().filter(({ keyId }) => keyId === null)).toHaveLength(2 * ROWS_WITHOUT_KEY);
});

it('a clock that is set back over the end of a minute allows no more rows', async () => {
  const { clock } = stage;
  let offsetMs = 0;
  const { send, log, stored } = createLogUnderTest({ ...clock, now: () => clock.now() + offsetMs });
  await clock.advance(MINUTE_MS - (clock.now() % MINUTE_MS));
  for (let number = 0; number < 3_000; number += 1) {
    offsetMs = number % 2 === 0 ? 0 : -5;
    send({ clientAddress: `10.0.${number >> 8}.${number & 255}` });
  }
  await log.flush();
  expect(stored().length).toBeLessThanOrEqual(ROWS_WITHOUT_KEY);
});

describe('while the database is down', () => {
  it('rows stay in memory, are written again, and are logged once', async () => {
    const { partner, clock, fixture, failWrites, logger, writes } = stage;
    failWrites(true);
    const reply = await partner.submit('{');
    await partner.get('/jobs');
    await clock.advance(10_000);
    expect(writes()).toBeGreaterThan(1);
    const failed = logger.lines.filter(({ message }) =>
      message.startsWith('The request log could not be written'),
    );
    expect(failed).toHaveLength(1);
    failWrites(false);
    await clock.advance(30_000);
    const requestId = reply.headers.get('x-request-id') ?? '';
    expect(await stage.storage.direct.requests.find(requestId)).not.toBeNull();
    const { items: reads } = await fixture.operator.requests.listReads({ keyId: partner.keyId });
    expect(reads.map(({ count }) => count)).toEqual([1]);
  });

  it('the buffer is bounded, and what has no space is counted as dropped', async () => {
    const { send, log, break: breakIt, stored, dropped, failures } = createLogUnderTest();
    breakIt(true);
    const sent = MAX_WAITING + 700;
    for (let number = 0; number < sent; number += 1)
      send({ keyId: `key_${number % 200}`, method: 'POST', status: 201, code: null });
    await log.flush();
    expect(dropped()).toBe(700);
    await log.flush();
    expect([dropped(), failures()]).toEqual([700, 1]);
    breakIt(false);
    await log.flush();
    expect(stored()).toHaveLength(MAX_WAITING);
    expect(stored().map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: MAX_WAITING }, (_, index) => `r${index + 1}`),
    );
  });

  it('stops trying after some minutes, and starts again with the next request', async () => {
    const { send, break: breakIt, stored } = createLogUnderTest();
    breakIt(true);
    send();
    for (let minute = 0; minute < 20; minute += 1) await stage.clock.advance(60_000);
    breakIt(false);
    for (let minute = 0; minute < 20; minute += 1) await stage.clock.advance(60_000);
    expect(stored()).toEqual([]);
    send();
    for (let tries = 0; tries < 4; tries += 1) await stage.clock.advance(30_000);
    expect(stored()).toHaveLength(2);
  });
});

it('writes once a second, and earlier if 500 rows wait', async () => {
  const { send, stored } = createLogUnderTest();
  send();
  await stage.clock.advance(900);
  expect(stored()).toHaveLength(0);
  await stage.clock.advance(100);
  expect(stored()).toHaveLength(1);
  for (let number = 0; number < 500; number += 1)
    send({ keyId: `key_${number % 200}`, method: 'POST', status: 201, code: null });
  await stage.clock.advance(1);
  expect(stored()).toHaveLength(501);
});

it('close writes what waits', async () => {
  const { send, log, stored } = createLogUnderTest();
  send();
  await log.close();
  expect(stored()).toHaveLength(1);
  send();
  await stage.clock.advance(5_000);
  expect(stored()).toHaveLength(1);
});

describe('retention', () => {
  const kept = perTest(
    () => openRequestStage({ retention: { requestsMs: 3_600_000 }, worker: { sweepBatch: 40 } }),
    (opened) => opened.close(),
  );

  it('the worker deletes requests and reads after requestsMs, in steps', async () => {
    const { partner, fixture } = kept;
    await times(99, () => partner.submit('{'));
    await partner.get('/jobs');
    const read = async () =>
      (await fixture.operator.requests.listReads({ keyId: partner.keyId })).items.length;
    const rows = async () => (await fixture.operator.requests.list({ limit: 1_000 })).items.length;
    expect([await rows(), await read()]).toEqual([99, 1]);
    await fixture.pass(3_500_000);
    expect([await rows(), await read()]).toEqual([99, 1]);
    await fixture.pass(240_000, 60_000);
    expect([await rows(), await read()]).toEqual([0, 0]);
  });

  it('refuses less than an hour', async () => {
    const opened = openRequestStage({ retention: { requestsMs: 60_000 } });
    await expect(opened).rejects.toThrow(/`retention.requestsMs` is 60000, but must be at least one hour/);
  });
});
