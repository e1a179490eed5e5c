import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { Client } from 'pg';
import type { BenchPartner } from '../servers/seed.js';

/** The first stamp of each key. */
const FIRST_STAMP = 1_700_000_000_000;

interface KeyRow {
  readonly id: string;
  readonly job: string;
}

/** As full as an index that has grown. A fuller one would soon split all of its pages. */
const FULLNESS = ' with (fillfactor = 70)';

interface IndexRow {
  readonly name: string;
  readonly definition: string;
}

const INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'partner_hiring' and tablename = 'ph_application' and indexname <> 'ph_application_pkey'`;

/** Fills an empty database with keys that have a company, a job and applications of their own, and returns the keys. */
export async function fillKeys(
  connectionString: string,
  { keys, applications }: { readonly keys: number; readonly applications: number },
): Promise<readonly BenchPartner[]> {
  await (await createPostgresStorage({ connectionString })).close();
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('set search_path = partner_hiring');
  const values = [keys, applications, FIRST_STAMP, Date.now()];
  const fill = readFileSync(new URL('../spread/fill.sql', import.meta.url), 'utf8');
  const { rows: indexes } = await client.query<IndexRow>(INDEXES);
  // An index is built faster than it grows.
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(
    values.reduce<string>((sql, value, at) => sql.replaceAll(`$${at + 1}`, `${value}`), fill),
  );
  for (const { definition } of indexes) await client.query(definition.replace(/(?= WHERE )|$/, FULLNESS));
  // Shuffled, so that neighbours in an index do not come in turn.
  const { rows } = await client.query<KeyRow>(
    `select key_id as id, job_id as job from ph_key_job order by md5(key_id)`,
  );
  const partners = rows.map(({ job }) => ({ secret: createBenchSecret(), jobId: job, applicationIds: [] }));
  await client.query(
    `insert into ph_key_secret
     select hash, key_id, 'pek_live_', 'last', 0 from unnest($1::text[], $2::text[]) as secret(hash, key_id)`,
    [
      partners.map(({ secret }) => createHash('sha256').update(secret).digest('hex')),
      rows.map(({ id }) => id),
    ],
  );
  await client.query('vacuum analyze');
  await client.end();
  return partners;
}

/** A secret as the product makes them: random bytes and a checksum. */
function createBenchSecret(): string {
  const body = `pek_live_${randomBytes(32).toString('base64url')}`;
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return body + checksum.toString('base64url');
}
