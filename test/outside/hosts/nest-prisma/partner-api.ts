import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { inPrisma } from '@partner-hiring/postgres/prisma';
import type { Database } from './database.js';

/** Opens the partner API. Each new candidate becomes a row of the platform, until it is erased. */
export async function openPartnerApi(database: Database): Promise<PartnerHiring<PostgresTransaction>> {
  return createPartnerHiring({
    storage: await createPostgresStorage({ connectionString: process.env.DATABASE_URL ?? '' }),
    secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',
    allowPrivateNetworks: process.env.ALLOW_PRIVATE_NETWORKS === 'yes',
    inbox: {
      transaction: inPrisma(database),
      async receive(items, { tx }) {
        for (const { kind, applicationId, application } of items) {
          if (kind === 'candidate.erased') await tx.candidate.deleteMany({ where: { applicationId } });
          if (kind !== 'application.submitted') continue;
          const { firstName, lastName } = application.candidate;
          const data = { applicationId, name: `${firstName} ${lastName}`, status: 'new' };
          await tx.candidate.create({ data });
        }
      },
    },
  });
}
