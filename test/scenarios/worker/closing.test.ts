/** `close` while receivers and résumé servers hang. */
import type { ApplicationId } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { type RawServer, startRawServer } from '@partner-hiring/test-support/network/raw-server';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type TestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSafeTransport } from '../../../packages/core/src/defaults/safe-transport.js';
import { FRESH_HEALTH } from '../../../packages/core/src/domain/endpoint.js';
import { SECOND_MS } from '../../../packages/core/src/domain/time.js';
import { createResumeSource } from '../../../packages/core/src/features/resumes/defaults/resume-source.js';

const NETWORK = { allowPrivateNetworks: true, allowPlainHttp: true, timeoutMs: 60 * SECOND_MS };
const STOP_WITHIN_MS = 5 * SECOND_MS;

let database: TestDatabase;
let fixture: Fixture;
let hanging: RawServer;
let partner: Partner;
let logger: ReturnType<typeof createRecordingLogger>;
beforeEach(async () => {
  logger = createRecordingLogger();
  hanging = await startRawServer((socket) => void socket.resume());
  database = await createTestDatabase();
  const clock = createFakeClock();
  fixture = await createFixture({
    storage: await database.open(clock),
    transport: createSafeTransport(NETWORK),
    resumeSource: createResumeSource(NETWORK),
    allowPrivateNetworks: true,
    logger,
    worker: { stopWithinMs: STOP_WITHIN_MS },
  });
  partner = await createPartner(fixture);
});
afterEach(() => database.remove());

const warnings = () => logger.lines.filter(({ level }) => level === 'warn');

it('takes at most `stopWithinMs` and counts no aborted attempt or round', async () => {
  const { operator, partnerHiring } = fixture;
  const { keyId } = partner;
  await operator.endpoints.setUrl({ keyId, url: hanging.url });
  const { jobId } = await createEmployer(fixture, partner);
  const { json } = await partner.submit({ ...submission(jobId), resumeUrl: hanging.url });
  partnerHiring.worker.start();
  await expect.poll(() => hanging.openConnections()).toBe(2);

  const closed = partnerHiring.close();
  await fixture.clock.advance(STOP_WITHIN_MS);
  await closed;
  await expect.poll(() => hanging.openConnections()).toBe(0);
  expect(warnings()).toEqual([
    {
      level: 'warn',
      message:
        'The worker did not stop in time; another worker, or the next start, repeats the work in progress.',
      fields: { tasks: ['deliver-events', 'fetch-resumes'], stopWithinMs: STOP_WITHIN_MS },
    },
  ]);

  const { direct, close } = await database.open(fixture.clock);
  expect((await direct.endpoints.find(keyId))?.health).toEqual(FRESH_HEALTH);
  const [application] = await direct.applications.find([json.id as ApplicationId]);
  expect(application?.resume).toEqual({ kind: 'pending', attempts: 0 });
  await close();
});

it('waits for a test delivery in flight within the limit', async () => {
  const { operator, partnerHiring } = fixture;
  const { keyId } = partner;
  await operator.endpoints.setUrl({ keyId, url: hanging.url });
  const tested = expect(operator.endpoints.test({ keyId })).rejects.toThrow('The transport is closed.');
  await expect.poll(() => hanging.openConnections()).toBe(1);

  let isClosed = false;
  const closed = partnerHiring.close().then(() => {
    isClosed = true;
  });
  await fixture.clock.advance(STOP_WITHIN_MS - 1);
  expect(isClosed).toBe(false);
  await fixture.clock.advance(1);
  await Promise.all([closed, tested]);
  expect(warnings()).toEqual([]);
});

it('a later start logs a warning, and partners get 503', async () => {
  const { partnerHiring } = fixture;
  await partnerHiring.close();
  partnerHiring.worker.start();
  expect(warnings()).toMatchObject([{ message: expect.stringContaining('Create a new one') }]);
  expect((await partner.get('/jobs')).status).toBe(503);
  const message = expect.stringContaining('open one storage for each');
  expect(logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { err: { message } } },
  ]);
});
