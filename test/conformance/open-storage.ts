import type { HttpUnderTest } from '@partner-hiring/conformance';
import { openPostgres } from './open-postgres.js';
import { openSqlite } from './open-sqlite.js';

/** The storage of this run: every adapter is held to the same answers on both databases. */
export const openStorage: HttpUnderTest['openStorage'] =
  process.env.STORAGE === 'postgres' ? openPostgres : openSqlite;
