import type { Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';

/** A platform whose request log a test can let fail. */
export type RequestStage = Awaited<ReturnType<typeof openRequestStage>>;

export type StageOptions = Parameters<typeof createFixture>[0];

export async function openRequestStage(options: StageOptions = {}) {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const storage = (await database.open(clock)) as Storage<HostTransaction>;
  const logger = createRecordingLogger();
  let fails = false;
  let writes = 0;
  let readError: Error | null = null;
  const failing = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    writes += 1;
    if (fails) throw new Error('The disk is full.');
    return write();
  };
  const { requests, keyJobs } = storage.direct;
  const direct: Repositories = {
    ...storage.direct,
    keyJobs: {
      ...keyJobs,
      page: async (query) => {
        if (readError !== null) throw readError;
        return keyJobs.page(query);
      },
    },
    requests: {
      ...requests,
      add: (rows) => failing(() => requests.add(rows)),
      addReads: (reads) => failing(() => requests.addReads(reads)),
    },
  };
  const fixture = await createFixture(
    { storage: { ...storage, direct }, logger, sandbox: true, ...options },
    {},
    clock,
  );
  const partner = await createPartner(fixture);
  const { companyId, jobId } = await createEmployer(fixture, partner);
  const partnerId = (await fixture.operator.keys.find({ id: partner.keyId }))?.key.partnerId ?? 'ptn_none';
  return {
    clock,
    fixture,
    partner,
    partnerId,
    companyId,
    jobId,
    logger,
    storage,
    /** While true, each write of the request log fails. */
    failWrites: (value: boolean) => {
      fails = value;
    },
    /** Fails each read of jobs with this error. */
    failReads: (error: Error | null) => {
      readError = error;
    },
    /** How many writes of the request log were tried. */
    writes: () => writes,
    close: async () => {
      await fixture.close();
      await database.remove();
    },
  };
}
