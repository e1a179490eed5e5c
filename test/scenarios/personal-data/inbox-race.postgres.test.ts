/** On PostgreSQL, an erasure and the hand-over of the same application run at the same time on several connections. */
import { type InboxItem, type Storage, StorageUnavailable } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import type { ClientBase } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApplicationId } from '../../../packages/core/src/domain/ids.js';
import { type InboxStage, openInboxStage, writeToPostgres } from '../inbox/stage.js';

interface Gate {
  /** Resolves when somebody waits at the gate. */
  readonly arrived: Promise<void>;
  pass(): Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let arrive = () => {};
  let open = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    arrive();
    return opened;
  };
  return { arrived, pass, open };
}

let stage: InboxStage;
let gate: Gate;
afterEach(async () => {
  vi.restoreAllMocks();
  gate.open();
  await stage.close();
});

/** Opens a host whose `receive` writes its rows, and then keeps its transaction until the gate opens. */
async function open(cells = 1): Promise<void> {
  gate = createGate();
  stage = await openInboxStage({
    cells,
    receive: async (items, { tx }) => {
      await writeToPostgres(tx, stage.table, items);
      if (items.some(({ kind }) => kind === 'application.submitted')) await gate.pass();
    },
  });
}

/** A process that waits only briefly for a lock. */
async function openImpatient(): Promise<Fixture> {
  const { location, clock } = stage;
  if (location.kind !== 'postgres') throw new Error('Needs PostgreSQL.');
  const { connectionString, schema } = location;
  const timeouts = { lockMs: 50 };
  return stage.platform(
    (await createPostgresStorage({ connectionString, schema, clock, timeouts })) as Storage<HostTransaction>,
  );
}

/** Ends the retries of the storage, which take ten seconds. */
function loseThePatience(): void {
  const start = performance.now();
  let calls = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => start + 10_001 * calls++);
}

/** A process that does not try again itself. */
async function openHasty(): Promise<Fixture> {
  const { location, clock } = stage;
  if (location.kind !== 'postgres') throw new Error('Needs PostgreSQL.');
  const { connectionString, schema } = location;
  const storage = await createPostgresStorage({ connectionString, schema, clock });
  const transaction: typeof storage.transaction = async (work) => {
    const host = await stage.openHost();
    await host.run('begin');
    await host.run("set local lock_timeout = '50ms'");
    try {
      const result = await work(storage.within(host.tx as ClientBase));
      await host.run('commit');
      return result;
    } finally {
      await host.close();
    }
  };
  return stage.platform({ ...storage, transaction } as Storage<HostTransaction>);
}

const submit = async (name: string) => (await stage.submit(name)) as ApplicationId;
const find = (id: ApplicationId) => stage.fixture.operator.applications.find({ id });
const erase = (applicationId: ApplicationId) => stage.fixture.operator.candidates.erase({ applicationId });
const kindsOf = (items: readonly InboxItem[]) => items.map(({ kind }) => kind);

/** Resolves when a transaction waits for the lock of an application. */
async function untilErasureWaits(): Promise<void> {
  const waiting =
    "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'ph_application.* for update'";
  while ((await stage.host.rows(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe.each([1, 3])('while `receive` holds its transaction, with %d cells', (cells) => {
  it('an erasure waits, a decision does not, and the host ends without the candidate', async () => {
    await open(cells);
    const id = await submit('Lovelace');
    const drained = stage.drain();
    await gate.arrived;
    const erasing = erase(id);
    await untilErasureWaits();
    const { applications } = stage.fixture.operator;
    await applications.move({ id });
    await applications.decide({ id, decision: 'rejected' });
    expect((await find(id))?.erasedAt).toBeNull();
    gate.open();
    expect((await erasing).applications).toMatchObject([{ id, changed: true }]);
    await drained;
    await stage.drain();
    expect(await stage.received()).toEqual([`${id} candidate.erased`]);
    const found = await find(id);
    expect(found?.erasureItem?.receivedAt).not.toBeNull();
  });
});

it('a consumer that acknowledges in its transaction keeps an erasure waiting, and hears of it next', async () => {
  await open();
  const id = await submit('Lovelace');
  const { operator } = stage.fixture;
  const taken = await operator.inbox.take({ leaseMs: 60_000 });
  await stage.host.run('begin');
  const ids = taken.map((item) => item.id);
  expect(await operator.within(stage.host.tx).inbox.acknowledge(ids)).toEqual({ acknowledged: 1 });
  const erasing = erase(id);
  const reader = await stage.openHost();
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'for update'";
  while ((await reader.rows(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await stage.host.run('commit');
  await reader.close();
  expect((await erasing).counts).toMatchObject({ applications: 1, inboxItems: 0 });
  expect(kindsOf(await operator.inbox.take())).toEqual(['candidate.erased']);
});

it('an erasure that waits for too long hears that the database is busy, and has changed nothing', async () => {
  await open();
  const id = await submit('Lovelace');
  const drained = stage.drain();
  await gate.arrived;
  const { operator } = await openImpatient();
  loseThePatience();
  const refused = operator.candidates.erase({ applicationId: id });
  await expect(refused).rejects.toThrow(StorageUnavailable);
  await expect(refused).rejects.toMatchObject({ mayBeDone: false, isBusy: true });
  vi.restoreAllMocks();
  expect((await find(id))?.erasedAt).toBeNull();
  gate.open();
  await drained;
  expect(await stage.received()).toEqual(['Lovelace']);
  expect((await stage.fixture.operator.system.status()).inbox).toMatchObject({ unread: 0 });
});

it('an erasure in the host’s transaction waits as long as the host allows, and at most ten seconds', async () => {
  await open();
  const id = await submit('Lovelace');
  const drained = stage.drain();
  await gate.arrived;
  const { host } = stage;
  const eraseWithin = () => stage.fixture.operator.within(host.tx).candidates.erase({ applicationId: id });
  await host.run('begin');
  await host.run("set local lock_timeout = '50ms'");
  await expect(eraseWithin()).rejects.toMatchObject({ mayBeDone: false, isBusy: true });
  await host.run('rollback');
  gate.open();
  await drained;
  await host.run('begin');
  const query = vi.spyOn(host.tx as ClientBase, 'query');
  await eraseWithin();
  const sent = query.mock.calls.map(([given]) => given as unknown as { text: string; values: unknown[] });
  const around = sent
    .filter(({ text }) => /set_config|for update/.test(text))
    .map(({ values }) => values.at(-1));
  expect(around).toEqual(['10000', expect.stringContaining(id), '0']);
  expect(await host.rows('show lock_timeout')).toEqual([{ lock_timeout: '0' }]);
  await host.run('commit');
});

it('an operation repeats the step later, and does not count it as failed', async () => {
  await open();
  const id = await submit('Lovelace');
  const drained = stage.drain();
  await gate.arrived;
  const hasty = await openHasty();
  stage.clock.suspend(1_000);
  const { operation } = await hasty.operator.candidates.eraseMany({ changedBefore: stage.clock.now() });
  // The clock of the test stands still while `receive` holds a connection, so this drain ends after it.
  const stepped = hasty.partnerHiring.worker.drain();
  const findOperation = () => hasty.operator.operations.find({ id: operation?.id ?? 'op_' });
  while ((await findOperation())?.lastError === null) await new Promise((resolve) => setImmediate(resolve));
  expect(await findOperation()).toMatchObject({
    state: 'running',
    counts: { done: 0 },
    lastError: 'Other transactions hold rows of this step. It is repeated.',
  });
  gate.open();
  await Promise.all([drained, stepped]);
  await hasty.pass(60_000, 10_000);
  expect(await findOperation()).toMatchObject({ state: 'done', counts: { done: 1 }, lastError: null });
  await stage.drain();
  expect(await stage.received()).toEqual([`${id} candidate.erased`]);
});

describe('locks heads first, then applications in the order of their ids', () => {
  /** What locks or deletes, in order. */
  function locksIn(query: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }) {
    const sent = query.mock.calls.map(([given]) => given as { text: string; values: unknown[] });
    return sent.filter(({ text }) => /for (no key update|key share)|^delete/.test(text ?? ''));
  }

  function expectOrder(locks: ReturnType<typeof locksIn>, ids: readonly ApplicationId[]): void {
    const [heads, applications, end] = locks;
    expect(heads?.text).toMatch(/ph_inbox_head.* for no key update/);
    expect(applications?.text).toMatch(/ph_application.* order by "id" for key share$/);
    expect(JSON.parse(String(applications?.values[0]))).toEqual(ids.toSorted().map((id) => ({ id })));
    expect(end?.text).toMatch(/^delete/);
  }

  it('a hand-over', async () => {
    gate = createGate();
    stage = await openInboxStage({
      inbox: (_, { tx, run: on }) => ({
        receive: () => {},
        transaction: async (run) => {
          await on('begin');
          await run(tx);
          await on('commit');
        },
      }),
    });
    const ids = [await submit('Ada'), await submit('Grace'), await submit('Alan')];
    const query = vi.spyOn(stage.host.tx as ClientBase, 'query');
    await stage.drain();
    expectOrder(locksIn(query), ids);
  });

  it('an acknowledgement', async () => {
    await open();
    const ids = [await submit('Ada'), await submit('Grace'), await submit('Alan')];
    const { operator } = stage.fixture;
    const taken = await operator.inbox.take({ leaseMs: 60_000 });
    await stage.host.run('begin');
    const query = vi.spyOn(stage.host.tx as ClientBase, 'query');
    await operator.within(stage.host.tx).inbox.acknowledge(taken.map((item) => item.id).toReversed());
    expectOrder(locksIn(query), ids);
    await stage.host.run('commit');
  });
});
