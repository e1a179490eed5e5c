/** Three workers keep jobs in step with a source that changes, while they are killed and started again. */
import { setTimeout } from 'node:timers/promises';
import {
  type CompanyId,
  createPartnerHiring,
  type KeyId,
  type Operation,
  type PartnerHiring,
  type PartnerId,
  type Storage,
} from '@partner-hiring/core';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { expect, it, onTestFinished } from 'vitest';
import { LEASE_MS } from '../../packages/core/src/features/jobs-sync/sync-state.js';
import type { KeyJob } from '../../packages/core/src/ports/repositories/jobs.js';
import type { MoverOrders } from './cell-mover.js';
import { type Child, startChild } from './stage/child.js';
import { createHostJobs, type HostJobs, PAGES, sharedNow } from './stage/host-jobs.js';
import { createSeededRandom } from './stage/seeded-random.js';
import { report, sized } from './stage/size.js';
import type { SyncReplicaSettings } from './sync-replica.js';

const JOBS = sized(2_000, 700);
/** Several runs fit into one change, and several changes into one run. */
const CHANGE_EVERY_MS = 40;
const CHANGED_AT_ONCE = sized(20, 10);
const GOES_ON_WITHIN_MS = 60_000;
const ONE_CELL = { cells: 1, kills: sized(30, 2) };
/** Partners move between them, and each kill takes longer. */
const EIGHT_CELLS = { cells: 8, kills: sized(8, 2) };
const DATABASES = process.env.STORAGE === 'postgres' ? [ONE_CELL, EIGHT_CELLS] : [ONE_CELL];
const COMPANIES = 6;
/** How many companies each key sees. */
const KEYS = [COMPANIES, 3, 1];

type Replica = Child<{ readonly pid: number }>;

/** The processes on one database, with one clock. */
function createReplicas({ location }: TestDatabase, { folder }: HostJobs) {
  const replicas: Replica[] = [];
  const killed = new Set<number>();

  return {
    killed,
    async add() {
      const settings: SyncReplicaSettings = { location, folder };
      replicas.push(await startChild('sync-replica.ts', [JSON.stringify(settings)]));
    },
    async kill(pid: number) {
      const victim = replicas.findIndex(({ ready }) => ready.pid === pid);
      await replicas[victim]?.kill();
      killed.add(pid);
      replicas.splice(victim, 1);
    },
    pids: () => replicas.map(({ ready }) => ready.pid),
    killAll: () => Promise.all(replicas.map((replica) => replica.kill())),
  };
}

/** The process that has begun an operation is a part of its id. */
function pidOf({ id }: Pick<Operation, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('_') + 1));
}

it.each(DATABASES)(
  'three workers keep jobs in step with a changing source, one at a time and with one event per change, when killed $kills times, with $cells cells',
  async ({ cells, kills }) => {
    const random = createSeededRandom();
    const database = await createTestDatabase(cells);
    const clock = { now: Date.now };
    const storage = await database.open({ now: () => clock.now() });
    const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
    const { companyIds, keys } = await openPlatform(operator);
    const source = createHostJobs(JOBS, companyIds, random);
    const replicas = createReplicas(database, source);
    clock.now = () => sharedNow(source.folder);
    const mover = cells > 1 ? await startMover(database, operator) : null;
    onTestFinished(async () => {
      await Promise.all([mover?.kill(), replicas.killAll()]);
      await storage.close();
      await database.remove();
      source.remove();
    });
    await Promise.all([replicas.add(), replicas.add(), replicas.add()]);

    const leapt = new Set<string>();
    async function letLeasesEnd(): Promise<void> {
      const { operation } = await operator.jobs.syncs.last();
      if (operation?.state !== 'running' || leapt.has(operation.id)) return;
      if (!replicas.killed.has(pidOf(operation))) return;
      leapt.add(operation.id);
      source.leap(LEASE_MS + 1_000);
    }
    /** Changes the source until another run has begun, and returns its process. */
    async function nextRun(): Promise<number> {
      const before = source.notes().length;
      for (const until = performance.now() + GOES_ON_WITHIN_MS; performance.now() < until; ) {
        const begun = source
          .notes()
          .slice(before)
          .find(([word]) => word === 'begin');
        if (begun !== undefined) return Number(begun[1]);
        await letLeasesEnd();
        source.change(CHANGED_AT_ONCE);
        await setTimeout(CHANGE_EVERY_MS);
      }
      throw new Error('No worker has begun a run.');
    }

    for (let kill = 0; kill < kills; kill += 1) {
      const running = await nextRun();
      const pids = replicas.pids();
      const anyPid = pids[Math.floor(random() * pids.length)] ?? running;
      // Mostly during the run, of which reading the pages takes a part.
      await setTimeout(random() * PAGES * (kill % 3 === 2 ? 40 : 10));
      await replicas.kill(kill % 3 === 1 ? anyPid : running);
      // The others go on.
      await nextRun();
      await replicas.add();
    }

    const inStep = async () => {
      await letLeasesEnd();
      const visible = await visibleTo(storage, source);
      return keys.map(({ keyId: own }) =>
        visible.flatMap(({ keyId, jobId }) => (keyId === own ? [jobId] : [])).toSorted(),
      );
    };
    const expected = keys.map(({ companies }) =>
      source
        .rows()
        .filter(({ isOpen, companyId }) => isOpen && companies.has(companyId))
        .map(({ id }) => id)
        .toSorted(),
    );
    await expect.poll(inStep).toEqual(expected);
    const moves = (await mover?.ask<number>({})) ?? 0;
    await Promise.all([mover?.kill(), replicas.killAll()]);

    const operations: Operation[] = [];
    for await (const operation of operator.operations.each()) operations.push(operation);
    operations.reverse();
    expectOneAtATime(operations, source, replicas.killed);
    await expectActs(operator, operations);
    const events = await expectEvents(storage, operations, source, keys);
    const failed = operations.filter(({ state }) => state === 'failed').length;
    expect(failed).toBeGreaterThan(0);
    if (cells > 1) expect(moves).toBeGreaterThan(0);
    report(
      `SIGKILL of workers that keep ${JOBS} jobs in step, with ${cells} cells`,
      `${kills} kills, ${failed} runs ended by others, ${moves} moves of partners, ${events} events, 0 doubled`,
    );
  },
  900_000,
);

type Operator = PartnerHiring<unknown>['operator'];
type AnyStorage = Pick<Storage<unknown>, 'direct'>;

interface Key {
  readonly keyId: KeyId;
  readonly companies: ReadonlySet<CompanyId>;
}

async function openPlatform(operator: Operator) {
  const companyIds: CompanyId[] = [];
  for (let count = 0; count < COMPANIES; count += 1) {
    companyIds.push(
      (await operator.companies.create({ name: `Depot ${count}`, environment: 'production' })).id,
    );
  }
  const keys: Key[] = [];
  for (const seen of KEYS) {
    const { id: partnerId } = await operator.partners.create({ name: 'Acme ATS' });
    const endpointUrl = 'https://ats.example/hooks';
    const { key } = await operator.keys.issue({ partnerId, environment: 'production', endpointUrl });
    // The events wait in the log.
    await operator.endpoints.pause({ keyId: key.id });
    const companies = companyIds.slice(0, seen);
    await operator.access.grant(companies.map((id) => ({ keyId: key.id, companyId: id })));
    keys.push({ keyId: key.id, companies: new Set(companies) });
  }
  return { companyIds, keys };
}

async function startMover({ location }: TestDatabase, operator: Operator): Promise<Child<string>> {
  if (location.kind === 'sqlite' || !('schemas' in location.schemas)) throw new Error('There is one cell.');
  const partners: PartnerId[] = [];
  for await (const { id } of operator.partners.each()) partners.push(id);
  const { connectionString, schemas } = location;
  const orders: MoverOrders = { connectionString, schemas: schemas.schemas, partnerIds: partners };
  return startChild<string>('cell-mover.ts', [JSON.stringify(orders)]);
}

async function visibleTo({ direct }: AnyStorage, source: HostJobs): Promise<readonly KeyJob[]> {
  const seen = await direct.keyJobs.listOfJobs(source.rows().map(({ id }) => id));
  return seen.filter(({ visible }) => visible);
}

/** Proves it by the records of the operations, and by what the readers of the source have noted. */
function expectOneAtATime(
  operations: readonly Operation[],
  source: HostJobs,
  killed: ReadonlySet<number>,
): void {
  for (const [index, { createdAt }] of operations.entries()) {
    const before = operations[index - 1]?.finishedAt ?? 0;
    expect(createdAt).toBeGreaterThanOrEqual(before);
  }
  let reader: string | undefined;
  for (const [word, pid, id] of source.notes()) {
    if (word === 'begin') {
      // The reader before has ended, or was killed.
      if (reader !== undefined) expect(killed).toContain(Number(reader));
      reader = pid;
      expect(id?.endsWith(`_${pid}`)).toBe(true);
    } else expect(pid).toBe(reader);
    if (word === 'end') reader = undefined;
  }
  for (const operation of operations) {
    if (operation.state === 'failed') expect(killed).toContain(pidOf(operation));
    else expect(['done', 'running']).toContain(operation.state);
  }
}

const changesOf = ({ sync }: Operation): number =>
  sync === null ? 0 : sync.added + sync.updated + sync.reopened + sync.closed;

/** The counts of the audit, which leaves the pay warning out. */
function countsOf({ sync }: Operation) {
  const { highPay: _, ...counts } = sync ?? { highPay: null };
  return counts;
}

/** Each run that has changed something is one act, with its counts. */
async function expectActs(operator: Operator, operations: readonly Operation[]): Promise<void> {
  const acts = [];
  for await (const { objects, count, after } of operator.audit.each({ act: 'jobs.syncs.run' })) {
    acts.push([objects[0]?.id, count, after]);
  }
  const changing = operations.filter(
    (operation) => changesOf(operation) > 0 && operation.state !== 'running',
  );
  const wanted = changing.map((operation) => [operation.id, changesOf(operation), countsOf(operation)]);
  const byId = ([one]: readonly unknown[], [other]: readonly unknown[]) =>
    String(one) < String(other) ? -1 : 1;
  expect(acts.toSorted(byId)).toEqual(wanted.toSorted(byId));
}

/** Each key has got one event for each change that it must hear of. Returns the number of events. */
async function expectEvents(
  { direct }: AnyStorage,
  operations: readonly Operation[],
  source: HostJobs,
  keys: readonly Key[],
): Promise<number> {
  let total = 0;
  for (const { keyId, companies } of keys) {
    const [log = []] = await direct.events.readLogs([{ keyId, after: -1, limit: 1_000_000 }]);
    const told = new Map<string, string[]>();
    for (const { type, body } of log) {
      const { jobId } = (JSON.parse(body) as { readonly data: { readonly jobId: string } }).data;
      told.set(jobId, [...(told.get(jobId) ?? []), type]);
    }
    for (const { number, id } of source.rows()) {
      const types = told.get(id) ?? [];
      expect(types).toEqual(types.map((_, index) => (index % 2 === 0 ? 'job.opened' : 'job.closed')));
      expect(types.length).toBeLessThanOrEqual(source.turns(number, companies));
    }
    total += log.length;
    if (companies.size < COMPANIES) continue;
    // To a key that sees all companies, a move is no news.
    const sum = (pick: (sync: NonNullable<Operation['sync']>) => number) =>
      operations.reduce((before, { sync }) => before + (sync === null ? 0 : pick(sync)), 0);
    const count = (type: string) => log.filter((event) => event.type === type).length;
    expect(count('job.opened')).toBe(sum(({ added, reopened }) => added + reopened));
    expect(count('job.closed')).toBe(sum(({ closed }) => closed));
  }
  return total;
}
