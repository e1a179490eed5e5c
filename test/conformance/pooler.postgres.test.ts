import { describeStorage } from '@partner-hiring/conformance';
import { afterAll, expect, it } from 'vitest';
import { postgresUrl } from '../support/postgres/database.js';
import { startPooler } from '../support/postgres/pooler.js';
import { openPostgres } from './open-postgres.js';

const pooler = await startPooler(postgresUrl());
const { connectionString } = pooler;
afterAll(() => pooler.close());

describeStorage('PostgreSQL behind a pooler in transaction mode', () =>
  openPostgres({ connectionString, preparedStatements: false }),
);

it('all of it went over connections that others had used', () => {
  expect(pooler.handedOut()).toBeGreaterThan(500);
});
