/**
 * Erasures race with the inbox, deliveries in flight, replays, downloads of résumés and, on PostgreSQL, moves between cells.
 * Afterwards no trace of a person is left, and the host has heard of each erasure once.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApplicationId, CompanyId, PartnerHiring, PartnerId } from '@partner-hiring/core';
import { createPartnerHiring, createSystemRuntime, StorageUnavailable } from '@partner-hiring/core';
import { movePostgresPartner } from '@partner-hiring/postgres';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner, type Partner, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { namesOfSchemas } from '@partner-hiring/test-support/postgres/database';
import {
  createTestDatabase,
  type Host,
  type HostTransaction,
  type TestDatabase,
} from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE_MS } from '../../packages/core/src/domain/time.js';
import { createRecordingSink, submissionOf } from '../scenarios/personal-data/stage.js';
import { createErasedHost, type ErasedHost } from './stage/erased-host.js';
import { report, sized } from './stage/size.js';

const ERASURES = sized(2_000, 40);
const CLIENTS = 8;
const PARTNERS = 6;
const CELLS = 3;
/** One in so many applications belongs to the company whose candidates an operation erases. */
const OF_OPERATION = 5;
/** A removal waits so long for a worker that may still store the file. The rewriting of SQLite's file waits no longer. */
const REMOVAL_MS = 12 * MINUTE_MS;
const WITHIN_MS = 120_000;
const isPostgres = process.env.STORAGE === 'postgres';

const { clock } = createSystemRuntime();
const logger = createRecordingLogger();
const sink = createRecordingSink();
const OPTIONS = {
  secretKey: '0123456789abcdef'.repeat(4),
  logger,
  resumeSink: sink,
  worker: { pollEveryMs: 20 },
  // Receivers repeat what they got, and often fail.
  transport: {
    post: async ({ body }: { readonly body: string }) => {
      await pause(Math.random() * 20);
      const status = Math.random() < 0.5 ? 500 : 204;
      return { kind: 'answered', status, excerpt: body.slice(-300) } as const;
    },
    close: async () => {},
  },
  resumeSource: {
    fetch: async (url: string) => {
      await pause(Math.random() * 30);
      const bytes = new TextEncoder().encode('%PDF-1.7');
      return { kind: 'fetched', bytes, mediaType: 'application/pdf', fileName: url.slice(-20) } as const;
    },
    close: async () => {},
  },
};

let database: TestDatabase;
let host: Host;
let platform: ErasedHost;
let fixture: Fixture;
const workers: PartnerHiring<HostTransaction>[] = [];
const tenants: (Tenant & { readonly partnerId: PartnerId })[] = [];

interface Tenant {
  readonly partner: Partner;
  readonly jobIds: readonly [string, string];
}

beforeAll(async () => {
  database = await createTestDatabase(isPostgres ? CELLS : 1);
  const limits = { submit_application: 1_000_000, guard: 1_000_000 };
  fixture = await createFixture({ storage: await database.open(clock), limits, logger });
  host = await database.host();
  platform = await createErasedHost(database, host);
  for (let count = 0; count < 2; count += 1) {
    const storage = await database.open(clock);
    workers.push(createPartnerHiring({ ...OPTIONS, storage, inbox: { receive: platform.receive } }));
  }
  await fixture.operator.inbox.turn({ on: true });
  const companies = [await register('Depot'), await register('Bakery')];
  const jobs: string[] = [];
  for (const companyId of companies)
    jobs.push((await fixture.operator.jobs.publish({ ...WAREHOUSE_JOB, companyId })).id);
  for (let count = 0; count < PARTNERS; count += 1) {
    const partner = await createPartner(fixture);
    for (const companyId of companies)
      await fixture.operator.access.grant({ keyId: partner.keyId, companyId });
    const found = await fixture.operator.keys.find({ id: partner.keyId });
    tenants.push({ partner, partnerId: found?.key.partnerId ?? 'ptn_', jobIds: jobs as [string, string] });
  }
}, WITHIN_MS);
afterAll(async () => {
  await Promise.all(workers.map((each) => each.close()));
  await fixture.close();
  await platform.remove();
  await host.close();
  await database.remove();
}, WITHIN_MS);

async function register(name: string): Promise<CompanyId> {
  return (await fixture.operator.companies.create({ name, environment: 'production' })).id;
}

function oneOf<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

let repeated = 0;

/** Repeats what another transaction or a move was faster than. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      repeated += 1;
      await pause(Math.random() * 20);
    }
  }
}

const MARKER = /zq\d{4}xw/i;
const nameOf = (number: number) => `Zq${String(number).padStart(4, '0')}xw`;

/** Submits a person, uses the application in random ways, and meanwhile erases it. */
async function live(number: number): Promise<ApplicationId> {
  const { partner, jobIds } = oneOf(tenants);
  const isOfOperation = number % OF_OPERATION === 0;
  const body = submissionOf(jobIds[isOfOperation ? 1 : 0], nameOf(number), { applicationFormAnswers: null });
  const key = randomUUID();
  const submit = async () => {
    for (;;) {
      const reply = await partner.submit(body, key);
      if (reply.status !== 503) return reply;
    }
  };
  const { status, json, text } = await submit();
  if (status !== 201) throw new Error(text);
  const id = String(json.id) as ApplicationId;
  const { applications, deliveries } = fixture.operator;
  const use = async () => {
    await pause(Math.random() * 20);
    await persist(() => applications.move({ id }));
    await persist(() => applications.decide({ id, decision: oneOf(['accepted', 'rejected'] as const) }));
    const { items } = await persist(() => deliveries.list({ applicationId: id }));
    const [event] = items;
    if (event === undefined) return;
    await pause(Math.random() * 30);
    const target = { keyId: partner.keyId, eventIds: [event.eventId] };
    await persist(() => deliveries.resend(target)).catch(() => {});
  };
  const replay = async () => {
    await pause(Math.random() * 30);
    const again = await submit();
    expect([again.status, again.json.id]).toEqual([201, id]);
  };
  const erase = async () => {
    await pause(Math.random() * 40);
    if (!isOfOperation) await eraseSomehow(number, id);
  };
  await Promise.all([use(), replay(), erase()]);
  return id;
}

/** Erases by any of the ways, some twice. */
async function eraseSomehow(number: number, applicationId: ApplicationId): Promise<void> {
  const { operator } = fixture;
  const clear = { clearSourceApplicationId: true };
  const erase = () => operator.candidates.erase({ applicationId, ...clear });
  const { transact } = platform;
  const way = number % 4;
  if (way === 0)
    await persist(() => operator.as({ id: 'sue' }).candidates.erase({ applicationId, ...clear }));
  else if (way === 1) {
    const email = `mail${nameOf(number)}@example.org`;
    await persist(() => operator.candidates.erase({ email, ...clear }));
  } else if (way === 2 && transact !== null) {
    const within = (tx: HostTransaction) => operator.within(tx).candidates.erase({ applicationId, ...clear });
    await persist(() => transact(within));
  } else await persist(erase);
  if (number % 3 === 0) await persist(erase);
}

/** Moves partners between the cells until the end. */
function startMoving(): { readonly moved: () => number; readonly end: () => Promise<void> } {
  let moves = 0;
  let isOver = false;
  const { location } = database;
  if (location.kind === 'sqlite') return { moved: () => moves, end: async () => {} };
  const schemas = namesOfSchemas(location);
  const pool = new Pool({ connectionString: location.connectionString, max: 1 });
  const run = async () => {
    while (!isOver) {
      const { partnerId } = oneOf(tenants);
      const move = () => movePostgresPartner({ pool, schemas, partnerId, to: oneOf(schemas) });
      const { movedRows } = await persist(move);
      if (movedRows > 0) moves += 1;
      await pause(20);
    }
    await pool.end();
  };
  const running = run();
  return {
    moved: () => moves,
    end: async () => {
      isOver = true;
      await running;
    },
  };
}

async function eraseCompany(companyId: CompanyId): Promise<void> {
  const { candidates, operations } = fixture.operator;
  const { operation } = await persist(() =>
    candidates.eraseMany({ companyId, clearSourceApplicationId: true }),
  );
  const find = async () => (await operations.find({ id: operation?.id ?? 'op_' }))?.state;
  await expect.poll(find, { timeout: WITHIN_MS, interval: 50 }).toBe('done');
}

it(`leaves no trace of ${ERASURES} people, and tells the host of each erasure once`, async () => {
  const { operator } = fixture;
  for (const { worker } of workers) worker.start();
  const moving = startMoving();
  const bakery = (await operator.companies.list()).items.find(({ name }) => name === 'Bakery')?.id;
  if (bakery === undefined) throw new Error('There is no bakery.');
  const ids: ApplicationId[] = [];
  let next = 0;
  const client = async () => {
    for (;;) {
      const number = next++;
      if (number >= ERASURES) return;
      ids.push(await live(number));
      if (number % 100 === 99) await eraseCompany(bakery);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await eraseCompany(bakery);
  await moving.end();
  await expect
    .poll(async () => (await operator.system.status()).inbox, { timeout: WITHIN_MS, interval: 100 })
    .toMatchObject({ unread: 0, parked: 0 });
  await Promise.all(workers.map(({ worker }) => worker.stop()));
  await removeResumes();
  await rewriteFile();

  expect(await platform.erased()).toEqual(ids.toSorted());
  expect(await platform.candidates()).toEqual([]);
  const { items: applications } = await operator.applications.list({ erasedSince: 0, limit: 1 });
  expect(applications).toHaveLength(1);
  const stored = [...(await platform.dump()), ...logger.text().split('\n')];
  expect(stored.filter((row) => MARKER.test(row))).toEqual([]);
  // The context says which table the bytes are from.
  expect(fileText().match(new RegExp(`.{0,200}${MARKER.source}.{0,100}`, 'is'))?.[0] ?? null).toBeNull();
  expect([...sink.files.keys()]).toEqual([]);
  report(
    'Erasures against the inbox, deliveries, replays, downloads and moves',
    `${ids.length} erased, each told once, no trace; ${moving.moved()} moves, ${repeated} calls repeated`,
  );
}, 1_200_000);

/** Removes what waits for workers that may still store a file. */
const removeResumes = () => drainAfter(REMOVAL_MS);

/** Lets the worker rewrite the file of SQLite, which is due some minutes after the last removal. */
const rewriteFile = () => drainAfter(2 * REMOVAL_MS);

async function drainAfter(ms: number): Promise<void> {
  const storage = await database.open({ now: () => clock.now() + ms });
  const later = createPartnerHiring({ ...OPTIONS, storage });
  await later.worker.drain();
  await later.close();
}

/** The file of SQLite after a checkpoint. */
function fileText(): string {
  const { location } = database;
  if (location.kind !== 'sqlite') return '';
  platform.checkpoint();
  return readFileSync(location.file, 'latin1');
}
