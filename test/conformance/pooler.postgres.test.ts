import { describeStorage } from '@partner-hiring/conformance';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { afterAll, expect, it } from 'vitest';
import { openPostgres } from './open-postgres.js';

const pooler = await startPooler(postgresUrl());
const knowing = await startPooler(postgresUrl(), { preparedStatements: true });
afterAll(() => Promise.all([pooler.close(), knowing.close()]));

// First: the names of what is refused on an empty database must not be used again.
describeStorage('PostgreSQL behind a pooler in transaction mode that knows prepared statements', () =>
  openPostgres({ connectionString: knowing.connectionString }),
);

describeStorage('PostgreSQL behind a pooler in transaction mode', () =>
  openPostgres({ connectionString: pooler.connectionString, preparedStatements: false }),
);

it('all of it went over connections that others had used', () => {
  expect(pooler.handedOut()).toBeGreaterThan(500);
  expect(knowing.handedOut()).toBeGreaterThan(500);
});
