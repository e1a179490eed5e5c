/** The partner API on Express and an existing SQLite file. */
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { startApi } from './start-api.js';

startApi(await createSqliteStorage({ file: process.argv[2] ?? '' }));
