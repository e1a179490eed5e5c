import type { PartnerHiringOptions } from '@partner-hiring/core';
import { createConsoleLogger, createPartnerHiring, createPrometheusTelemetry } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { inDrizzle } from '@partner-hiring/postgres/drizzle';
import { eq, sql } from 'drizzle-orm';
import * as prometheus from 'prom-client';
import { readJobs } from './jobs.js';
import { candidate, db, pool } from './platform.js';

type Surroundings = Omit<PartnerHiringOptions<PostgresTransaction, unknown>, 'inbox' | 'jobs'>;

/** Creates the partner API of this platform. Tests pass a storage, a clock and a network of their own. */
export function createHiring(surroundings: Surroundings) {
  return createPartnerHiring({
    ...surroundings,
    jobs: { read: readJobs, everyMs: 60_000, missing: 'close' },
    inbox: {
      transaction: inDrizzle(db, sql),
      async receive(items, { tx }) {
        for (const { kind, environment, applicationId, application } of items) {
          const ours = eq(candidate.applicationId, applicationId);
          if (kind === 'candidate.erased') await tx.delete(candidate).where(ours);
          if (kind !== 'application.submitted' || environment === 'sandbox') continue; // a partner's test
          const { firstName, lastName } = application.candidate;
          const row = { applicationId, openingId: application.jobId.slice(4), status: 'new' };
          await tx.insert(candidate).values({ ...row, name: `${firstName} ${lastName}` });
        }
      },
    },
  });
}

export const logger = createConsoleLogger();
export const openHiring = async () =>
  createHiring({
    storage: await createPostgresStorage({ pool }),
    secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
    allowPrivateNetworks: process.env.ALLOW_PRIVATE_NETWORKS === 'yes', // for tests on one machine
    logger,
    telemetry: createPrometheusTelemetry(prometheus),
  });
