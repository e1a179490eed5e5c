/**
 * A host with core in its bundle and an external storage with its own core. Errors of one must be recognized by the
 * other. `node bundled-host.mjs <database-url>`
 */
import { rejects, strictEqual } from 'node:assert/strict';
import { createPartnerHiring, OperatorError } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import pg from 'pg';

async function main(connectionString: string | undefined): Promise<void> {
  await rejects(
    createPostgresStorage({ connectionString: '' }),
    (error) => error instanceof OperatorError && error.code === 'MISCONFIGURED',
  );

  // Each use opens a new connection, so that later ones fail.
  const pool = new pg.Pool({ connectionString, maxUses: 1 });
  pool.on('error', () => {});
  const schema = `bundled_${process.pid}`;
  const storage = await createPostgresStorage({ pool, schema });
  const partnerHiring = createPartnerHiring({
    storage,
    secretKey: '0123456789abcdef'.repeat(4),
    logger: SILENT,
  });
  const { operator } = partnerHiring;
  const partner = await operator.partners.create({ name: 'ATS' });
  const { secret } = await operator.keys.issue({ partnerId: partner.id, environment: 'sandbox' });
  const list = () => {
    const headers = { authorization: `Bearer ${secret}` };
    return partnerHiring.fetch(new Request('http://localhost/api/v1/external/jobs', { headers }));
  };
  strictEqual((await list()).status, 200);
  await pool.query(`drop schema ${schema} cascade`);

  pool.options.connectionString = 'postgres://127.0.0.1:1/gone';
  const refused = await list();
  const { error } = (await refused.json()) as { error: string };
  strictEqual(`${refused.status} ${error}`, '503 SERVICE_UNAVAILABLE');
  await partnerHiring.close();
  await pool.end();
}

/** The expected log of an outage. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
