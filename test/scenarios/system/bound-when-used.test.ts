/** Every request pays for what a transaction makes before its first statement. */
import type { Storage } from '@partner-hiring/core';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import type { HostTransaction, TestDatabase } from '@partner-hiring/test-support/storages';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const BINDING = '../../../packages/storage-kysely/src/make-when-read.js';
type Binding = typeof import('../../../packages/storage-kysely/src/make-when-read.js');

/** The repositories and methods that sessions have made since the last look, by name. */
let bound: string[] = [];
let database: TestDatabase;
let storage: Storage<HostTransaction>;
let fixture: Fixture;
let submit: () => Promise<number>;

beforeAll(async () => {
  // Other files of this process may have loaded the modules already.
  vi.resetModules();
  vi.doMock(BINDING, async (importOriginal) => {
    const { makeWhenRead } = await importOriginal<Binding>();
    const watched: Binding['makeWhenRead'] = (from, make) =>
      makeWhenRead(from, (value) => {
        bound.push(...Object.keys(from).filter((name) => from[name as keyof typeof from] === value));
        return make(value);
      });
    return { makeWhenRead: watched };
  });
  const { createFakeClock } = await import('@partner-hiring/test-support/clock');
  const { createFixture } = await import('@partner-hiring/test-support/fixture');
  const { createEmployer, createPartner, submission } = await import('@partner-hiring/test-support/partner');
  const { createTestDatabase } = await import('@partner-hiring/test-support/storages');
  database = await createTestDatabase();
  storage = await database.open(createFakeClock());
  fixture = await createFixture({ storage });
  const partner = await createPartner(fixture);
  const { jobId } = await createEmployer(fixture, partner);
  submit = async () => (await partner.submit(submission(jobId))).status;
});
afterAll(async () => {
  vi.doUnmock(BINDING);
  vi.resetModules();
  await fixture.close();
  await database.remove();
});

/** Returns what is bound while `work` runs, without duplicates: a cell has repositories of the same names. */
async function boundDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  bound = [];
  await work();
  return [...new Set(bound)].sort();
}

it('binds nothing in a transaction that does nothing', async () => {
  expect(await boundDuring(() => storage.transaction(async () => {}))).toEqual([]);
});

it('binds only the method that a transaction calls', async () => {
  const work = () => storage.transaction(({ jobs }) => jobs.find([]));
  expect(await boundDuring(work)).toEqual(['find', 'jobs']);
});

it('binds only the methods that a submission calls', async () => {
  await submit();
  const work = async () => expect(await submit()).toBe(201);
  expect(await boundDuring(work)).toEqual([
    'chargeAndAdd',
    'feed',
    'findForSubmissions',
    'jobs',
    'submissions',
    'takeSoon',
  ]);
});
