import { describeStorage } from '@partner-hiring/conformance';
import { CitusTagsClient } from '@partner-hiring/test-support/postgres/citus-tags';
import { openPostgres } from './open-postgres.js';

describeStorage('PostgreSQL with the command tags of Citus', () => openPostgres({ Client: CitusTagsClient }));
