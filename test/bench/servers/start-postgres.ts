/** The partner API on Express and an existing PostgreSQL database. */
import { createPostgresStorage } from '@partner-hiring/postgres';
import { startApi } from './start-api.js';

startApi(await createPostgresStorage({ connectionString: process.argv[2] ?? '' }));
