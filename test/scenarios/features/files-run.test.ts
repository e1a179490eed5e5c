/** How many files of the library run for one submission, and from a decision until its webhook is settled. */
import { Session } from 'node:inspector/promises';
import { type ApplicationId, createPartnerHiring } from '@partner-hiring/core';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { CANDIDATE } from '@partner-hiring/test-support/submission-body';
import { createTestInstance, createVirtualClock } from '@partner-hiring/testing';
import { expect, test } from 'vitest';

/** PostgreSQL's driver has more files of ours. */
const MOST_FILES = {
  sqlite: { ofSubmission: 80, fromDecision: 90 },
  postgres: { ofSubmission: 86, fromDecision: 95 },
};

/**
 * The files of the library of which a function is called during `act`. Functions without a name do not count: the test runner
 * reads exports through them.
 */
async function filesRunBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => /\/packages\/((?!testing\/).+\/src\/.+)$/.exec(url)?.[1])
    .filter((path) => path !== undefined)
    .sort();
}

/** An installation with a running worker, a key, and an open job. */
async function openRunning() {
  const clock = createVirtualClock();
  const database = await createTestDatabase();
  const instance = await createTestInstance({
    database,
    clock,
    // So rarely that only commits wake the worker.
    create: (given) => createPartnerHiring({ ...given, worker: { pollEveryMs: 60_000 } }),
  });
  const { operator, partnerHiring, createKey, createApplication } = instance;
  const key = await createKey();
  const { jobId } = (await createApplication({ key })).application;
  partnerHiring.worker.start();
  return {
    ...instance,
    most: MOST_FILES[database.location.kind],
    submit: () => key.submit({ jobId, candidate: CANDIDATE, consentToContact: true }),
    decide: async (id: ApplicationId) => {
      await operator.applications.decide({ id, decision: 'accepted' });
      for (let step = 0; step < 10; step += 1) await clock.advance(100);
    },
    unsettled: async () => (await operator.endpoints.list()).items.map(({ counts }) => counts.due),
  };
}

test('one submission runs few files, and a decision until its webhook is settled', async () => {
  const { submit, decide, unsettled, operator, advance, waitFor, close, most } = await openRunning();
  const submitted = async () => {
    expect((await submit()).status).toBe(201);
    const [newest] = (await operator.applications.list({ limit: 1 })).items;
    if (newest === undefined) throw new Error('The submission is not listed.');
    await operator.applications.move({ id: newest.id });
    return newest.id;
  };
  // The first of each also compiles and binds what later ones find ready.
  for (let round = 0; round < 3; round += 1) await decide(await submitted());
  const id = await submitted();
  await advance(1_000);

  const ofSubmission = await filesRunBy(submit);
  const fromDecision = await filesRunBy(() => decide(id));

  await waitFor('application.status_changed', { where: ({ data }) => data.applicationId === id });
  expect(await unsettled()).toEqual([0]);
  expect(ofSubmission.length, ofSubmission.join('\n')).toBeLessThanOrEqual(most.ofSubmission);
  expect(fromDecision.length, fromDecision.join('\n')).toBeLessThanOrEqual(most.fromDecision);
  await close();
});
