/**
 * The host's table has each accepted candidate and each change by staff once, whoever is killed: the API, the worker, or
 * both. It has none of the platform's own changes.
 */
import { setTimeout } from 'node:timers/promises';
import { createSystemRuntime } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, createEmployer, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type Host, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InboxReplicaSettings } from './inbox-replica.js';
import { type Candidate, newCandidate, submissionOf } from './stage/candidate.js';
import { type Child, startChild } from './stage/child.js';
import { createHttpClient } from './stage/http-client.js';
import { report, sized } from './stage/size.js';

const ROUNDS = sized(21, 3);
const CLIENTS = 16;
const LOAD_MS = { min: 250, spread: 500, max: 30_000 };
const PASSED_WITHIN_MS = 60_000;

type Replica = Child<{ readonly port: number | null }>;

const http = createHttpClient();
const unfinished = new Set<Candidate>();
const accepted: `ej_app_${string}`[] = [];
/** Who decides on a candidate, if anybody does. After `erase`, staff have decided on it and erased it. */
const DOORS = ['console', 'library', 'erase', null] as const;
const doors = new Map<string, 'console' | 'library' | 'erase'>();
let database: TestDatabase;
let host: Host;
let fixture: Fixture;
let partner: Partner;
let jobId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createFixture({ storage: await database.open(createSystemRuntime().clock) });
  host = await database.host();
  const number =
    database.location.kind === 'sqlite' ? 'integer primary key autoincrement' : 'bigserial primary key';
  await host.run(`create table candidate (number ${number}, application_id text, at bigint, news text)`);
  partner = await createPartner(fixture, { endpoint: false });
  ({ jobId } = await createEmployer(fixture, partner));
  await fixture.operator.inbox.turn({ on: true });
});
afterAll(async () => {
  http.close();
  await fixture.close();
  await host.run('drop table candidate');
  await host.close();
  await database.remove();
});

function start(role: InboxReplicaSettings['role']): Promise<Replica> {
  const settings: InboxReplicaSettings = { role, location: database.location };
  return startChild('inbox-replica.ts', [JSON.stringify(settings)]);
}

async function submit({ ready }: Replica, candidate: Candidate): Promise<boolean> {
  unfinished.add(candidate);
  const baseUrl = `http://127.0.0.1:${ready.port}${BASE_PATH}`;
  const answer = await http.send(submissionOf(baseUrl, partner.secret, candidate));
  // SQLite may be locked by the other process.
  if (answer === null || answer.status === 503) return answer !== null;
  expect(answer.status, answer.text).toBe(201);
  const { id } = JSON.parse(answer.text) as { readonly id: `ej_app_${string}` };
  accepted.push(id);
  unfinished.delete(candidate);
  const door = DOORS[accepted.length % DOORS.length] ?? null;
  if (door === null) return true;
  doors.set(id, door);
  // A kill or a busy database may leave the application as it was, or in between.
  const url = `http://127.0.0.1:${ready.port}/decide/${door}/${id}`;
  return (await http.send({ method: 'POST', url, headers: {} })) !== null;
}

async function storm(api: Replica, isUp: () => boolean): Promise<void> {
  const retried = [...unfinished];
  for (const candidate of retried) await submit(api, candidate);
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (isUp()) if (!(await submit(api, newCandidate(jobId)))) return;
    }),
  );
}

/** Resolves after a random time, and when each client can have had a candidate accepted. */
async function loaded(): Promise<void> {
  const enough = accepted.length + CLIENTS + 1;
  await setTimeout(LOAD_MS.min + Math.random() * LOAD_MS.spread);
  for (const until = performance.now() + LOAD_MS.max; accepted.length < enough; ) {
    if (performance.now() > until) throw new Error('The API accepts too few candidates.');
    await setTimeout(10);
  }
}

/** What the host must have heard, if it has heard so much. An erasure removes what was not handed over before. */
async function expectedOf(id: `ej_app_${string}`, count: number): Promise<readonly string[]> {
  const found = await fixture.operator.applications.find({ id });
  const passed = ['in_progress', 'accepted'];
  const isStaff = (doors.get(id) ?? 'library') !== 'library';
  const changes = isStaff ? passed.slice(0, passed.indexOf(found?.status ?? '') + 1) : [];
  const all = ['application.submitted', ...changes];
  return typeof found?.erasedAt === 'number' ? [...all.slice(0, count - 1), 'candidate.erased'] : all;
}

it(`tells the host of each candidate and each change by staff once while ${ROUNDS} processes are killed`, async () => {
  const victims = ['api', 'worker', 'both'] as const;
  let api = await start('api');
  let worker = await start('worker');
  for (let round = 0; round < ROUNDS; round += 1) {
    const victim = victims[round % victims.length];
    let isUp = true;
    const stormed = storm(api, () => isUp);
    await loaded();
    if (victim !== 'worker') await api.kill();
    if (victim !== 'api') await worker.kill();
    isUp = false;
    await stormed;
    if (victim !== 'worker') api = await start(round % 2 === 0 ? 'both' : 'api');
    if (victim !== 'api') worker = await start('worker');
  }
  await storm(api, () => false);
  expect(unfinished.size).toBe(0);
  await expect
    .poll(async () => (await fixture.operator.system.status()).inbox, {
      timeout: PASSED_WITHIN_MS,
      interval: 100,
    })
    .toMatchObject({ unread: 0, parked: 0 });
  await Promise.all([api.kill(), worker.kill()]);

  const rows = (await host.rows(
    'select application_id as id, at, news from candidate order by number',
  )) as readonly {
    readonly id: string;
    readonly at: number | string;
    readonly news: string;
  }[];
  expect(accepted.length).toBeGreaterThan(ROUNDS * CLIENTS);
  const told = new Map<string, string[]>();
  for (const { id, news } of rows) told.set(id, [...(told.get(id) ?? []), news]);
  const counts = { changes: 0, erasures: 0 };
  for (const id of accepted) {
    const heard = told.get(id) ?? [];
    const expected = await expectedOf(id, heard.length);
    expect(heard).toEqual(expected);
    const isErased = heard.at(-1) === 'candidate.erased';
    counts.erasures += isErased ? 1 : 0;
    counts.changes += isErased ? 0 : heard.length - 1;
  }
  expect(told.size).toBe(accepted.length);
  expect(counts.changes).toBeGreaterThan(ROUNDS);
  expect(counts.erasures).toBeGreaterThan(ROUNDS);
  const instants = rows.filter(({ news }) => news !== 'candidate.erased').map(({ at }) => Number(at));
  expect(instants).toEqual(instants.toSorted((a, b) => a - b));
  report(
    'SIGKILL of API, worker and both, with the inbox',
    `${ROUNDS} kills: ${accepted.length} candidates and ${counts.changes} changes by staff, ${counts.erasures} erasures, each once, in order`,
  );
}, 600_000);
