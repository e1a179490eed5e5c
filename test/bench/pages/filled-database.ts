import { readFileSync } from 'node:fs';
import { type CompanyId, createPartnerHiring, type KeyId, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { Pool } from 'pg';

/** The stamps of a filled key go from here on, one a row. */
export const FIRST_STAMP = 1_700_000_000_000;

/** A key whose lists are as long as wanted. */
export interface FilledKey {
  readonly keyId: KeyId;
  readonly firstCompany: CompanyId;
  readonly rows: number;
}

/** A database with one key that has one company, and one that has many. */
export interface FilledDatabase {
  readonly storage: Storage<never>;
  readonly keys: { readonly oneCompany: FilledKey; readonly manyCompanies: FilledKey };
  close(): Promise<void>;
}

const MANY_COMPANIES = 500;

/** Fills an empty database with jobs and applications, half for each key. */
export async function fillDatabase(connectionString: string, rows: number): Promise<FilledDatabase> {
  const storage = await createPostgresStorage({ connectionString });
  const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const pool = new Pool({ connectionString });
  const sql = readFileSync(new URL('../pages/fill.sql', import.meta.url), 'utf8');
  const { id: partnerId } = await operator.partners.create({ name: 'Pages ATS' });

  async function fillKey(environment: 'production' | 'sandbox', companies: number): Promise<FilledKey> {
    const { key } = await operator.keys.issue({ partnerId, environment });
    const ids: CompanyId[] = [];
    for (let index = 0; index < companies; index += 1) {
      const { id } = await operator.companies.create({ name: `Company ${index}`, environment });
      await operator.access.grant({ keyId: key.id, companyId: id });
      ids.push(id);
    }
    await pool.query(sql, [key.id, ids, rows / 2]);
    return { keyId: key.id, firstCompany: ids[0] as CompanyId, rows: rows / 2 };
  }

  const keys = {
    oneCompany: await fillKey('production', 1),
    manyCompanies: await fillKey('sandbox', MANY_COMPANIES),
  };
  await pool.query('vacuum analyze');
  await pool.end();
  return { storage, keys, close: () => storage.close() };
}
