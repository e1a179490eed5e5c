import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import { migratePostgres } from './migrate-postgres.js';
import { openPostgresReader } from './open-postgres-reader.js';

const { connectionString: direct, schema, drop } = createTestSchema();

async function behindPooler(releasesAtFirstAnswer: boolean) {
  const pooler = await startPooler(direct, { preparedStatements: true, releasesAtFirstAnswer });
  onTestFinished(() => pooler.close());
  return { connectionString: pooler.connectionString, schema, timeouts: { statementMs: 400 } };
}

describe('a pooler that releases its connection at the first answer', () => {
  it('is refused with the option, and works with it', async () => {
    onTestFinished(drop);
    const options = await behindPooler(true);
    const refusal = {
      code: 'MISCONFIGURED',
      message: expect.stringMatching(/releases the connection after the first answer.*`pipeline: false`/),
    };
    await expect(createPostgresStorage(options)).rejects.toMatchObject(refusal);
    const { connectionString } = options;
    await expect(migratePostgres({ connectionString, schema })).rejects.toMatchObject(refusal);

    await migratePostgres({ connectionString, schema, pipeline: false });
    const storage = await createPostgresStorage({ ...options, pipeline: false });
    await storage.direct.partners.add(samplePartner('ptn_a'));
    await storage.transaction(async (tx) => tx.partners.add(samplePartner('ptn_b')));
    const found = await Promise.all([storage.direct.partners.list(), storage.direct.partners.list()]);
    expect(found.map((partners) => partners.length)).toEqual([2, 2]);
    await storage.close();
  });

  it("is refused with the pool's option, and works without it", async () => {
    const { connectionString } = await behindPooler(true);
    const timeouts = { statementMs: 400 };
    const pipelined = new Pool({ connectionString, pipeline: true });
    onTestFinished(() => pipelined.end());
    await expect(createPostgresStorage({ pool: pipelined, schema, timeouts })).rejects.toThrow(
      /Remove `pipeline: true` from your pool/,
    );
    const pool = new Pool({ connectionString });
    onTestFinished(() => pool.end());
    await (await createPostgresStorage({ pool, schema })).close();
  });

  it.each([
    [true, expect.stringContaining('`pipeline: false`')],
    [false, null],
  ])('is found by a reader: %s', async (releases, problem) => {
    const { connectionString } = await behindPooler(releases);
    const reader = openPostgresReader({ connectionString, timeoutMs: 400 });
    onTestFinished(() => reader.close());
    expect(await reader.findPipelineProblem()).toEqual(problem);
    expect(await reader.rows('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
