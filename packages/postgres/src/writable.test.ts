import { expect, it, onTestFinished } from 'vitest';
import { createTestSchema } from '../../../test/support/postgres-database.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import { migratePostgres } from './migrate-postgres.js';

/** A role whose transactions are read-only unless they say otherwise, and which owns a schema. */
async function createReadOnlyRole() {
  const database = createTestSchema();
  const { schema, run } = database;
  const role = `role_${schema}`;
  await run(`create role ${role} login password 'secret'`);
  await run(`alter role ${role} set default_transaction_read_only = on`);
  await run(`create schema ${schema} authorization ${role}`);
  onTestFinished(async () => {
    await run(`drop owned by ${role}`);
    await run(`drop role ${role}`);
    await database.drop();
  });
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = 'secret';
  return { connectionString: url.href, schema, run };
}

it.each(['at_start', 'never'] as const)(
  'a role whose transactions are read-only is refused, with the command that mends it (%s)',
  async (migrate) => {
    const { connectionString, schema, run } = await createReadOnlyRole();
    const options = { connectionString, schema };
    await migratePostgres(options);
    const refusal = await createPostgresStorage({ ...options, migrate }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'MISCONFIGURED' });

    const [fix = ''] = /`(alter role .*?)`/.exec(String(refusal))?.slice(1) ?? [];
    await run(fix);
    const storage = await createPostgresStorage({ ...options, migrate });
    expect(await storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }])).toHaveLength(1);
    await storage.close();
  },
);
