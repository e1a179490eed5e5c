/** Functions whose process the platform freezes with its reply, and continues later or never. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { KeyId, Storage } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { startRequestServer } from '@partner-hiring/test-support/network/raw-server';
import { submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { untilFrozen } from '@partner-hiring/test-support/programs/frozen';
import { RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { MINUTE_MS } from '../../packages/core/src/domain/time.js';
import type { FunctionOrder, FunctionReply, FunctionSettings } from './frozen-function.js';

const SECRET_KEY = '0123456789abcdef'.repeat(4);

const stage = perTest(
  async () => {
    const database = await createTestDatabase();
    const opened: Fixture[] = [];
    /** A process that is not frozen. Its clocks are ahead by `aheadMs`. */
    async function open(
      aheadMs = 0,
    ): Promise<{ readonly fixture: Fixture; readonly storage: Storage<HostTransaction> }> {
      const now = () => Date.now() + aheadMs;
      const storage = await database.open({ now });
      const system = createSystemRuntime();
      const runtime = { ...system, clock: { ...system.clock, now } };
      const options = { storage, runtime, secretKey: SECRET_KEY, allowPrivateNetworks: true };
      const fixture = await createFixture(options);
      opened.push(fixture);
      return { fixture, storage };
    }
    return {
      database,
      open,
      ...(await open()),
      closeAll: () => Promise.all(opened.map((each) => each.close())),
    };
  },
  async ({ database, closeAll }) => {
    await closeAll();
    await database.remove();
  },
);

/** A process that stops itself after each reply. */
function startFunction() {
  const settings: FunctionSettings = { location: stage.database.location, secretKey: SECRET_KEY };
  const file = fileURLToPath(new URL('./frozen-function.ts', import.meta.url));
  const child = spawn(process.execPath, [...RUN_BUNDLED, file, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let isFirst = true;

  async function order(given: FunctionOrder): Promise<void> {
    if (!isFirst) child.kill('SIGCONT');
    isFirst = false;
    child.stdin.write(`${JSON.stringify(given)}\n`);
  }
  async function reply(): Promise<FunctionReply> {
    const line = await lines.next();
    if (line.done === true) throw new Error('The function ended.');
    await untilFrozen(child.pid ?? 0);
    return JSON.parse(line.value) as FunctionReply;
  }
  return {
    child,
    /** Continues it if it is frozen, and gives it an order. */
    order,
    /** Resolves with the reply to an order when it is frozen again. */
    reply,
    /** Continues it, and resolves with its reply when it is frozen again. */
    call: async (given: FunctionOrder) => {
      await order(given);
      return reply();
    },
  };
}

/** A receiver that answers when `answer` is called, and from then on at once. */
async function startHangingReceiver() {
  const waiting: (() => void)[] = [];
  let isAnswering = false;
  const server = await startRequestServer((socket) => {
    const write = () => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    if (isAnswering) write();
    else waiting.push(write);
  });
  return {
    url: server.url,
    count: () => waiting.length,
    answer: () => {
      isAnswering = true;
      for (const write of waiting.splice(0)) write();
    },
  };
}

/** A partner that sees `count` jobs and has been told of them. Its endpoint has this URL. */
async function createPartner(endpointUrl: string, count: number) {
  const { operator, partnerHiring } = stage.fixture;
  const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
  const { id: companyId } = await operator.companies.create({ name: 'Initech', environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId });
  const jobs: `job_${string}`[] = [];
  for (let made = 0; made < count; made += 1) {
    jobs.push((await operator.jobs.publish({ companyId, ...WAREHOUSE_JOB })).id);
  }
  await partnerHiring.worker.drain();
  return { keyId: key.id, secret, jobs };
}

const toldClosed = ({ transport }: Fixture) =>
  transport
    .events()
    .filter(({ type }) => type === 'job.closed')
    .map(({ data }) => data.jobId);

/** Expects that each event of the key has one counted attempt: the storage keeps no first attempt that succeeded. */
async function expectDeliveredAtFirstAttempt(keyId: KeyId, count: number): Promise<void> {
  const { deliveries } = stage.fixture.operator;
  expect((await deliveries.listAttempts({ keyId })).items).toEqual([]);
  const { items } = await deliveries.list({ keyId });
  expect(items.map(({ state }) => state)).toEqual(Array.from({ length: count }, () => 'delivered'));
}

const ANONYMOUS = { does: 'fetch', path: '/jobs', init: { method: 'GET', headers: {} } } as const;
const isLogged = async ({ requestId }: FunctionReply) =>
  (await stage.storage.direct.requests.find(requestId ?? '')) !== null;

describe('a function whose process is frozen with its reply', () => {
  it('has written its request log with `flush` or `waitUntil`, and has lost it without when it is killed', async () => {
    const { call, child } = startFunction();
    const flushed = await call({ ...ANONYMOUS, keeps: 'flush' });
    expect([flushed.status, await isLogged(flushed)]).toEqual([401, true]);
    const held = await call({ ...ANONYMOUS, keeps: 'waitUntil' });
    expect([held.status, await isLogged(held)]).toEqual([401, true]);
    // Without either, the stand-in freezes the log too.
    const lost = await call({ ...ANONYMOUS, keeps: 'nothing' });
    expect([lost.status, await isLogged(lost)]).toEqual([401, false]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isLogged(lost)).toBe(false);
    expect(await isLogged(flushed)).toBe(true);
  });

  it('writes an old entry of the request log when it is continued', async () => {
    const { call } = startFunction();
    const late = await call({ ...ANONYMOUS, keeps: 'nothing' });
    expect(await isLogged(late)).toBe(false);
    await call({ ...ANONYMOUS, keeps: 'flush' });
    expect(await isLogged(late)).toBe(true);
  });

  it('keeps a submission and the event of a command, although it is never continued', async () => {
    const { secret, jobs } = await createPartner('https://ats.example.org/webhooks', 2);
    const [submitted, closed] = jobs;
    const { call, child } = startFunction();
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const body = JSON.stringify(submission(submitted ?? ''));
    const init = { method: 'POST', headers, body };
    const reply = await call({ does: 'fetch', path: '/applications', init, keeps: 'flush' });
    expect(reply.status).toBe(201);
    await call({ does: 'close', jobId: closed ?? 'job_' });
    child.kill('SIGKILL');

    const { id } = JSON.parse(reply.body) as { readonly id: `ej_app_${string}` };
    expect(await stage.fixture.operator.applications.find({ id })).toMatchObject({ status: 'received' });
    await stage.fixture.partnerHiring.worker.drain();
    expect(toldClosed(stage.fixture)).toEqual([closed]);
  });

  it('has released its leases when its drain has ended in time: another worker sends all at once', async () => {
    const receiver = await startHangingReceiver();
    const { keyId, jobs } = await createPartner(receiver.url, 3);
    for (const id of jobs) await stage.fixture.operator.jobs.close({ id });
    const { call } = startFunction();
    // On a slow machine, the time may end before the first attempt.
    while (receiver.count() === 0) await call({ does: 'drain', withinMs: 1_500 });
    await stage.fixture.partnerHiring.worker.drain();
    expect(toldClosed(stage.fixture).toSorted()).toEqual(jobs.toSorted());

    receiver.answer();
    await call({ does: 'drain', withinMs: 5_000 });
    await expectDeliveredAtFirstAttempt(keyId, 2 * jobs.length);
  });

  it('loses its lease while it is frozen in a drain: another worker sends its events, which count once', async () => {
    const receiver = await startHangingReceiver();
    const { keyId, jobs } = await createPartner(receiver.url, 3);
    for (const id of jobs) await stage.fixture.operator.jobs.close({ id });
    const frozen = startFunction();
    await frozen.order({ does: 'drain', withinMs: 60_000 });
    await expect.poll(receiver.count).toBeGreaterThan(0);
    frozen.child.kill('SIGSTOP');
    await untilFrozen(frozen.child.pid ?? 0);
    await stage.fixture.partnerHiring.worker.drain();
    expect(toldClosed(stage.fixture)).toEqual([]);

    const later = await stage.open(3 * MINUTE_MS);
    await later.fixture.partnerHiring.worker.drain();
    expect(toldClosed(later.fixture).toSorted()).toEqual(jobs.toSorted());

    receiver.answer();
    frozen.child.kill('SIGCONT');
    await frozen.reply();
    await expectDeliveredAtFirstAttempt(keyId, 2 * jobs.length);
  });
});
