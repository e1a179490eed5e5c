import { describeStorage } from '@partner-hiring/conformance';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { startPooler } from '@partner-hiring/test-support/postgres/pooler';
import { afterAll, expect, it } from 'vitest';
import { openPostgres } from './open-postgres.js';

/** Like PgBouncer 1.21, like PgBouncer before it, and like Supavisor, with the settings for RDS Proxy too. */
const POOLERS = {
  'knows prepared statements': { pooler: { preparedStatements: true }, options: {} },
  'does not know prepared statements': { pooler: {}, options: { preparedStatements: false } },
  'releases its connection at the first answer': {
    pooler: { releasesAtFirstAnswer: true },
    options: { preparedStatements: false, pipeline: false, sessionSettings: false },
  },
};

// The first two only with `FULL=1`: the suite takes long on new connections, and PgBouncer has a command. In this order,
// because the names of what is refused on an empty database must not be used again.
const kinds = Object.entries(POOLERS).slice(process.env.FULL === '1' ? 0 : 2);

for (const [kind, { pooler: traits, options }] of kinds) {
  const pooler = await startPooler(postgresUrl(), traits);
  afterAll(() => pooler.close());

  describeStorage(`PostgreSQL behind a pooler in transaction mode that ${kind}`, () =>
    openPostgres({ connectionString: pooler.connectionString, ...options }),
  );

  it(`all of it went over connections that others had used, in a pooler that ${kind}`, () => {
    expect(pooler.handedOut()).toBeGreaterThan(500);
  });
}
