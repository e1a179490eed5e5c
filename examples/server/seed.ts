import {
  type Environment,
  type IssuedKey,
  type OperatorCommands,
  StorageUnavailable,
} from '@partner-hiring/core';
import Database from 'better-sqlite3';
import type { ExamplePartnerHiring } from './open-partner-hiring.js';
import { SEED_COMPANIES } from './seed-companies.js';
import { SEED_JOBS } from './seed-jobs.js';
import { unusableDatabase } from './unusable-database.js';

/** The seeded keys with their secrets. */
export interface Seeded {
  readonly production: IssuedKey;
  readonly sandbox: IssuedKey;
}

/**
 * Seeds an empty database with companies, jobs and a partner with both keys; returns null if it is not empty.
 * The sandbox key brings its own data.
 *
 * Runs in one transaction of the host. A host could also write its own rows in it.
 *
 * @throws SetupError if the database is not writable, for example on a full disk.
 */
export async function seedIfEmpty(
  { operator }: ExamplePartnerHiring,
  databaseFile: string,
  endpointUrls: Readonly<Record<Environment, string>>,
): Promise<Seeded | null> {
  try {
    // This check is a read, which takes no lock. A later start therefore does not wait for writers.
    if (!(await isEmpty(operator))) return null;
    return await seedInTransaction(operator, databaseFile, endpointUrls);
  } catch (error) {
    const isDatabase = error instanceof Database.SqliteError || error instanceof StorageUnavailable;
    throw isDatabase ? unusableDatabase(databaseFile, error) : error;
  }
}

async function isEmpty({ partners }: OperatorCommands): Promise<boolean> {
  return (await partners.list({ limit: 1 })).items.length === 0;
}

async function seedInTransaction(
  operator: ExamplePartnerHiring['operator'],
  databaseFile: string,
  endpointUrls: Readonly<Record<Environment, string>>,
): Promise<Seeded | null> {
  const database = new Database(databaseFile);
  try {
    // The secrets of the keys are shown only once, so their rows must survive a power failure.
    database.pragma('synchronous = FULL');
    database.exec('begin immediate');
    const commands = operator.within(database);
    // A concurrent start may have seeded first.
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
  for (const { grantsAccess: _, ...company } of SEED_COMPANIES) await operator.companies.create(company);
  await operator.jobs.publish(SEED_JOBS);
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const contact = { name: 'Robin Field', email: 'robin@ats.example' };
  await operator.partners.update({ id: partner.id, contact });

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
