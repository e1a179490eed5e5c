import type { ApplicationId, TotalsFilter } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { noLogger } from '../../../packages/core/src/defaults/redacting-logger.js';
import { MINUTE_MS } from '../../../packages/core/src/domain/time.js';
import { createTotalsTask } from '../../../packages/core/src/features/totals/task.js';
import type { Storage } from '../../../packages/core/src/ports/storage.js';
import type { Logger } from '../../../packages/core/src/ports/telemetry.js';

type Given = Partial<Pick<Storage<unknown>, 'direct' | 'transaction'>>;

/** A process that fails is killed: no later round tries again. */
const KILLED: Logger = {
  ...noLogger,
  error: ({ err }) => {
    throw err;
  },
};

/** Two partners, which see the jobs of two companies. */
export type TotalsStage = Awaited<ReturnType<typeof openTotalsStage>>;

export async function openTotalsStage() {
  const database = await createTestDatabase();
  const clock = createFakeClock(Date.parse('2026-01-29T09:00:00.000Z'));
  const storage = await database.open(clock);
  const another = await database.open(clock);
  const fixture = await createFixture({ storage }, {}, clock);
  const create = async (name: string) => {
    const { id: partnerId } = await fixture.operator.partners.create({ name });
    return { ...(await createPartner(fixture, { partnerId })), partnerId };
  };
  const partners = [await create('Acme'), await create('Beta')] as const;
  const [first, second] = partners;
  const employers = [await createEmployer(fixture, first), await createEmployer(fixture, first)] as const;
  for (const { companyId } of employers) {
    await fixture.operator.access.grant({ keyId: second.keyId, companyId });
  }

  /** Counts in a new process. `given` replaces parts of the storage. */
  async function countNow(given: Given = {}, factsPerStep?: number): Promise<void> {
    const task = createTotalsTask({ ...storage, ...given }, { clock, logger: KILLED }, factsPerStep);
    while ((await task.poll()) !== 'nothing');
  }

  return {
    ...fixture,
    storage,
    /** The storage of another process. */
    another,
    partners,
    employers,
    publish: (companyId: (typeof employers)[number]['companyId']) =>
      fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB }),
    submit: async (partner: Partner, jobId: string) =>
      String((await partner.submit(submission(jobId))).json.id) as ApplicationId,
    count: async (given: Given = {}, factsPerStep?: number) => {
      await clock.advance(6 * MINUTE_MS);
      await countNow(given, factsPerStep);
    },
    countNow,
    /** Reads rows as they are stored. */
    rows: async <Row>(query: string) => {
      const host = await database.host();
      const rows = (await host.rows(query)) as readonly Row[];
      await host.close();
      return rows;
    },
    figures: async (filter: TotalsFilter = {}) => (await fixture.operator.totals.list(filter)).items,
    close: async () => {
      await another.close();
      await fixture.close();
      await database.remove();
    },
  };
}
