/** A submission wakes the worker only for its résumé. */

import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Hanging, hang, PDF, until } from './stage.js';
import { type WatchedStorage, watchStorage } from './watch-storage.js';

let database: TestDatabase;
let fixture: Fixture;
let watched: WatchedStorage;
let hanging: Hanging;
let claims: number;
let partner: Partner;
let jobId: `job_${string}`;
beforeEach(async () => {
  database = await createTestDatabase();
  const clock = createFakeClock();
  const storage = await database.open(clock);
  watched = watchStorage(storage);
  claims = 0;
  const { direct, transaction } = watched.storage;
  const resumeFiles: typeof direct.resumeFiles = {
    ...direct.resumeFiles,
    claim(...asked) {
      claims += 1;
      return direct.resumeFiles.claim(...asked);
    },
  };
  const resumeSource = { fetch: async () => PDF, close: async () => {} };
  const storageWatched = { ...storage, direct: { ...direct, resumeFiles }, transaction };
  fixture = await createFixture({ storage: storageWatched, resumeSource }, {}, clock);
  partner = await createPartner(fixture);
  ({ jobId } = await createEmployer(fixture, partner));
});
afterEach(async () => {
  await hanging.endWith(answered(200));
  await fixture.close();
  await database.remove();
});

/** Less than a polling interval. */
const SOON_MS = 100;

it('is fetched at once, without leasing or polling an endpoint', async () => {
  hanging = hang(fixture.transport);
  fixture.partnerHiring.worker.start();
  await until(() => hanging.count() === 1);
  await settle(20);
  await fixture.clock.advance(SOON_MS);
  const done = () => [watched.leases(), watched.polls(), claims];
  const before = done();
  for (let count = 0; count < 2; count += 1)
    expect((await partner.submit(submission(jobId))).status).toBe(201);
  await fixture.clock.advance(SOON_MS);
  await settle(20);
  expect(done()).toEqual(before);

  const withResume = submission(jobId, { resumeUrl: 'https://cv.example/ada.pdf' });
  for (let count = 1; count <= 2; count += 1) {
    expect((await partner.submit(withResume)).status).toBe(201);
    await until(() => fixture.resumeFiles.length === count);
  }
  await fixture.clock.advance(SOON_MS);
  await settle(20);
  expect(done().slice(0, 2)).toEqual(before.slice(0, 2));
});
