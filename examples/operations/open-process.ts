import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { consoleAlerts, consoleLogger, outliveReaders } from '../server/console-output.js';
import type { ProcessSettings } from './settings.js';

/** Opens the library in a process of the deployment. The inbox keeps the host's own table of candidates up to date. */
export async function openProcess(settings: ProcessSettings): Promise<PartnerHiring<PostgresTransaction>> {
  outliveReaders();
  return createPartnerHiring({
    // The step `migrate.ts` has migrated the database. A pool of five connections is enough for a small process.
    storage: await createPostgresStorage({
      connectionString: settings.databaseUrl,
      migrate: 'never',
      maxConnections: 5,
    }),
    secretKey: settings.secretKey,
    deployment: settings.deployment,
    alerts: consoleAlerts,
    logger: consoleLogger,
    allowPrivateNetworks: settings.allowPrivateNetworks,
    inbox: {
      async receive(items, { tx }) {
        for (const { kind, applicationId: id, application } of items) {
          if (kind === 'candidate.erased') await tx.query('delete from candidate where id = $1', [id]);
          if (kind !== 'application.submitted') continue;
          const { jobId } = application;
          await tx.query('insert into candidate (id, job_id) values ($1, $2)', [id, jobId]);
        }
      },
    },
  });
}
