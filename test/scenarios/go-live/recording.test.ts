/** How evidence for the go-live is stored: once per process, off the way of requests, and kept. */
import type { PartnerHiringOptions } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { type Partner, send, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { expect, it } from 'vitest';
import type { ReadinessMark } from '../../../packages/core/src/features/readiness/rules.js';
import { GO_LIVE_OPTIONS, joinPlatform, openItems, play } from './scripted-partner.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Given = Partial<PartnerHiringOptions<HostTransaction>>;
type HostStorage = PartnerHiringOptions<HostTransaction>['storage'];

/** Two processes on one database. A test sees what the first one writes, and may let its writes fail. */
async function openProcesses() {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const written: ReadinessMark[][] = [];
  const disk = { isFull: false };
  const openStorage = async () => (await database.open(clock)) as HostStorage;
  const withWrites = (storage: HostStorage, add: Repositories['readiness']['add']): HostStorage => ({
    ...storage,
    direct: { ...storage.direct, readiness: { ...storage.direct.readiness, add } },
  });
  const open = (given: Given) => createFixture({ ...GO_LIVE_OPTIONS, ...given }, {}, clock);
  const storage = await openStorage();
  const first = await open({
    storage: withWrites(storage, async (marks) => {
      if (disk.isFull) throw new Error('The disk is full.');
      written.push([...marks]);
      await storage.direct.readiness.add(marks);
    }),
  });
  const another = async (given: Given = {}) => open({ storage: await openStorage(), ...given });
  const unable = async () =>
    withWrites(await openStorage(), async () => {
      throw new Error('The process is dead.');
    });
  return {
    clock,
    first,
    second: await another(),
    another,
    /** A storage for a process that is killed before it writes. */
    unable,
    written,
    disk,
    remove: () => database.remove(),
  };
}

const processes = perTest(openProcesses, async ({ first, second, remove }) => {
  await Promise.all([first.close(), second.close()]);
  await remove();
});

/** Sends a request of a partner to one of the processes. */
function ask(fixture: Fixture, { secret }: Partner, path: string) {
  return send(fixture, 'GET', path, { headers: { authorization: `Bearer ${secret}` } });
}

it('an item is written once, not once per request', async () => {
  const { first, written, clock } = processes;
  const { partner } = await joinPlatform(first);
  for (let count = 0; count < 50; count += 1) await ask(first, partner, '/applications');
  await clock.advance(MINUTE_MS - 1);
  for (let count = 0; count < 9; count += 1) await ask(first, partner, '/applications');
  await first.partnerHiring.flush();
  const names = written.flat().map(({ name }) => name);
  expect(names.toSorted()).toEqual(['applications_read', 'succeeded']);
});

it('nothing of a query is stored but that it had a cursor or updated_since', async () => {
  const { first, written } = processes;
  const { partner } = await joinPlatform(first);
  await ask(first, partner, '/jobs?updated_since=2019-08-07T06:05:04.321Z&company_id=co_secret&limit=1');
  await first.partnerHiring.flush();
  expect(written.flat().map(({ name }) => name)).toContain('jobs_updated_since');
  expect(JSON.stringify(written)).not.toMatch(/2019|secret|321/);
  expect(JSON.stringify(written)).not.toContain(String(Date.parse('2019-08-07T06:05:04.321Z')));
});

it('two processes write one row, with the first evidence and the last of both', async () => {
  const { first, second, clock } = processes;
  const { partner } = await joinPlatform(first);
  const ids: (string | null)[] = [];
  for (const fixture of [first, second]) {
    ids.push((await ask(fixture, partner, '/applications')).headers.get('x-request-id'));
    await clock.advance(1_000);
  }
  await Promise.all([second.partnerHiring.flush(), first.partnerHiring.flush()]);
  const { items } = await second.operator.keys.readiness({ id: partner.keyId });
  const { evidence } = items.find(({ item }) => item === 'applications_read') ?? {};
  expect([evidence?.firstId, evidence?.lastId]).toEqual(ids);
});

it('a success in another process counts, a minute after the last one at the latest', async () => {
  const { first, second, clock } = processes;
  const stage = await joinPlatform(first);
  const { partner } = stage;
  const isOpen = async () => {
    await second.partnerHiring.flush();
    return (await openItems(stage)).recovered_422 !== undefined;
  };
  await ask(second, partner, '/applications');
  await clock.advance(1_000);
  await ask(first, partner, '/jobs?limit=none');
  await clock.advance(1_000);
  await ask(second, partner, '/applications');
  expect(await isOpen()).toBe(true);
  await clock.advance(MINUTE_MS);
  await ask(second, partner, '/applications');
  expect(await isOpen()).toBe(false);
});

it('a success in another process counts at once if it proves an item for the first time', async () => {
  const { first, second, clock } = processes;
  const stage = await joinPlatform(first);
  const { partner } = stage;
  await ask(second, partner, '/jobs');
  await clock.advance(1_000);
  await ask(first, partner, '/jobs?limit=none');
  await clock.advance(1_000);
  await ask(second, partner, '/applications');
  await second.partnerHiring.flush();
  expect(await openItems(stage)).not.toHaveProperty('recovered_422');
});

it('evidence that cannot be written waits in memory, and the requests are answered', async () => {
  const { first, disk, clock } = processes;
  const stage = await joinPlatform(first);
  disk.isFull = true;
  const replies = [
    await ask(first, stage.partner, '/applications'),
    await stage.partner.submit(submission(stage.jobId)),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 201]);
  await first.partnerHiring.flush();
  expect(await openItems(stage)).toHaveProperty('applications_read');
  disk.isFull = false;
  await clock.advance(5 * MINUTE_MS);
  await first.partnerHiring.flush();
  const open = await openItems(stage);
  expect([open.applications_read, open.submitted]).toEqual([undefined, undefined]);
});

it('a process that is killed before it writes proves the item with a later request', async () => {
  const { first, second, another, unable } = processes;
  const killed = await another({ storage: await unable() });
  const stage = await joinPlatform(first);
  await ask(killed, stage.partner, '/applications');
  await killed.close();
  expect(await openItems(stage)).toHaveProperty('applications_read');
  await ask(second, stage.partner, '/applications');
  await second.partnerHiring.flush();
  expect(await openItems(stage)).not.toHaveProperty('applications_read');
});

it('evidence survives a restart, the request log, an erasure and the removal of the partner', async () => {
  const { first, clock, another } = processes;
  const stage = await joinPlatform(first);
  await play(stage);
  await first.partnerHiring.flush();
  const { keyId } = stage.partner;
  const read = (fixture: Fixture) => fixture.operator.keys.readiness({ id: keyId });
  const before = await read(first);
  await clock.advance(30 * DAY_MS);
  await first.pass(DAY_MS);
  for (const { id } of (await first.operator.applications.list({ keyId })).items)
    await first.operator.candidates.erase({ applicationId: id });
  await first.operator.partners.remove({ id: before.key.partnerId });
  const restarted = await another();
  expect(await read(restarted)).toEqual(before);
  expect((await restarted.operator.requests.list({ keyId })).items).toEqual([]);
  await restarted.close();
});

it('without the request log, evidence is recorded', async () => {
  const { another } = processes;
  const quiet = await another({ requestLog: false });
  const stage = await joinPlatform(quiet);
  await ask(quiet, stage.partner, '/applications');
  expect(await openItems(stage)).not.toHaveProperty('applications_read');
  expect((await quiet.operator.requests.list({})).items).toEqual([]);
  await quiet.close();
});
