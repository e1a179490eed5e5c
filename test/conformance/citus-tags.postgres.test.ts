import { describeStorage } from '@partner-hiring/conformance';
import { CitusTagsClient, createCitusStandIn } from '@partner-hiring/test-support/postgres/citus-tags';
import { afterAll, beforeAll } from 'vitest';
import { openPostgres } from './open-postgres.js';

// A test may not depend on Citus, which npm does not bring. `npm run test:citus` runs the same suite on it.
const { url, create, drop } = createCitusStandIn();
beforeAll(create);
afterAll(drop);

describeStorage('PostgreSQL with the command tags of Citus, and the statements for a node of it', () =>
  openPostgres({ Client: CitusTagsClient, database: url }),
);
