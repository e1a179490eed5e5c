import { describeStorage } from '@partner-hiring/conformance';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { afterAll, expect, it } from 'vitest';
import { openPostgres } from './open-postgres.js';

// With prepared statements only with `FULL=1`: the suite takes long on new connections, and PgBouncer has a command. First,
// because the names of what is refused on an empty database must not be used again.
const MODES = process.env.FULL === '1' ? [true, false] : [false];

for (const preparedStatements of MODES) {
  const pooler = await startPooler(postgresUrl(), { preparedStatements });
  afterAll(() => pooler.close());
  const knows = preparedStatements ? 'knows' : 'does not know';

  describeStorage(`PostgreSQL behind a pooler in transaction mode that ${knows} prepared statements`, () =>
    openPostgres({ connectionString: pooler.connectionString, preparedStatements }),
  );

  it(`all of it went over connections that others had used, in a pooler that ${knows} them`, () => {
    expect(pooler.handedOut()).toBeGreaterThan(500);
  });
}
