import { type IssuedKey, type OperatorCommands, StorageUnavailable } from '@partner-hiring/core';
import type { Environment } from '@partner-hiring/core/ports';
import Database from 'better-sqlite3';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { SEED_COMPANIES } from './seed-companies.js';
import { SEED_JOBS } from './seed-jobs.js';
import { unusableDatabase } from './unusable-database.js';

/** What the seed made, with the secrets that are shown once. */
export interface Seeded {
  readonly production: IssuedKey;
  readonly sandbox: IssuedKey;
}

/**
 * Seeds an empty database with companies, jobs and a partner with both its keys; null if it is not empty. What
 * its sandbox key sees comes with the key.
 *
 * All of it commits together, in a transaction that the host opens: the way in which a host publishes a job
 * or decides on a candidate in the same commit as its own rows.
 *
 * @throws SetupError if the database takes nothing, such as one on a full disk.
 */
export async function seedIfEmpty(
  { operator }: ExamplePartnerHiring,
  databaseFile: string,
  endpointUrls: Readonly<Record<Environment, string>>,
): Promise<Seeded | null> {
  try {
    // A look alone takes no lock: a later start need not wait for whoever writes.
    if (!(await isEmpty(operator))) return null;
    return await seedInTransaction(operator, databaseFile, endpointUrls);
  } catch (error) {
    const isDatabase = error instanceof Database.SqliteError || error instanceof StorageUnavailable;
    throw isDatabase ? unusableDatabase(databaseFile, error) : error;
  }
}

async function isEmpty({ partners }: OperatorCommands): Promise<boolean> {
  return (await partners.list()).length === 0;
}

async function seedInTransaction(
  operator: ExamplePartnerHiring['operator'],
  databaseFile: string,
  endpointUrls: Readonly<Record<Environment, string>>,
): Promise<Seeded | null> {
  const database = new Database(databaseFile);
  try {
    // The keys are shown once: what they belong to must outlast a power failure.
    database.pragma('synchronous = FULL');
    database.exec('begin immediate');
    const commands = operator.within(database);
    // Another start may have been faster.
    const seeded = (await isEmpty(commands)) ? await seed(commands, endpointUrls) : null;
    database.exec('commit');
    return seeded;
  } finally {
    if (database.inTransaction) database.exec('rollback');
    database.close();
  }
}

async function seed(
  operator: OperatorCommands,
  endpointUrls: Readonly<Record<Environment, string>>,
): Promise<Seeded> {
  for (const { grantsAccess: _, ...company } of SEED_COMPANIES) await operator.companies.register(company);
  await operator.jobs.publishMany(SEED_JOBS);
  const partner = await operator.partners.add({ name: 'Acme ATS' });

  const letIn = async (environment: Environment): Promise<IssuedKey> => {
    const endpointUrl = endpointUrls[environment];
    const issued = await operator.keys.issue({ partnerId: partner.id, environment, endpointUrl });
    const granting = SEED_COMPANIES.filter(
      (company) => company.grantsAccess && company.environment === environment,
    );
    for (const { id: companyId } of granting) {
      await operator.access.grant({ keyId: issued.key.id, companyId });
    }
    return issued;
  };
  return { production: await letIn('production'), sandbox: await letIn('sandbox') };
}
