import { describeStorage } from '@partner-hiring/conformance';
import { createPostgresStorage, migratePostgres } from '@partner-hiring/postgres';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import { expect, inject, it } from 'vitest';
import { openPostgres } from '../conformance/open-postgres.js';

const connectionString = inject('pgbouncerUrl');
const statementModeUrl = inject('statementModeUrl');

// First: the names of what is refused on an empty database must not be used again.
if (inject('knowsStatements')) {
  describeStorage('PostgreSQL behind PgBouncer, with prepared statements', () =>
    openPostgres({ connectionString }),
  );
}

describeStorage('PostgreSQL behind PgBouncer', () =>
  openPostgres({ connectionString, preparedStatements: false }),
);

if (statementModeUrl !== null) {
  it('PgBouncer in statement mode is refused with the fix', async () => {
    const { schema, connectionString: direct, drop } = createTestSchema();
    const refusal = expect.objectContaining({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('`pool_mode = transaction`'),
    });
    const options = { connectionString: statementModeUrl, schema, preparedStatements: false };
    await expect(createPostgresStorage(options)).rejects.toEqual(refusal);
    await expect(migratePostgres({ connectionString: statementModeUrl, schema })).rejects.toEqual(refusal);
    await migratePostgres({ connectionString: direct, schema });
    await expect(createPostgresStorage({ ...options, migrate: 'never' })).rejects.toEqual(refusal);
    await drop();
  });
}
