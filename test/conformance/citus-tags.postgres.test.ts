import { describeStorage } from '@partner-hiring/conformance';
import { CitusTagsClient } from '../support/postgres/citus-tags.js';
import { openPostgres } from './open-postgres.js';

describeStorage('PostgreSQL with the command tags of Citus', () => openPostgres({ Client: CitusTagsClient }));
