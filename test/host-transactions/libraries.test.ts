/** Transactions of each library for which there is an adapter. `npm run test:orms` also runs Prisma, and the oldest versions. */
import { describeOnSqlite } from './describe-on-sqlite.js';
import {
  knexSqliteLibrary,
  kyselySqliteLibrary,
  typeormSqliteLibrary,
} from './libraries/asynchronous-sqlite.js';
import { betterSqlite3Library, drizzleSqliteLibrary } from './libraries/better-sqlite3.js';

for (const library of [
  betterSqlite3Library,
  drizzleSqliteLibrary,
  kyselySqliteLibrary,
  knexSqliteLibrary,
  typeormSqliteLibrary,
]) {
  describeOnSqlite(library);
}
