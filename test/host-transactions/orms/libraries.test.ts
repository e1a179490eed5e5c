/** Transactions of ORMs and query builders on SQLite. `npm run test:orms` also runs other versions, and Prisma. */
import { describeOnSqlite } from '../describe-on-sqlite.js';
import { knexSqliteLibrary, typeormSqliteLibrary } from './asynchronous-sqlite.js';
import { drizzleSqliteLibrary } from './drizzle-sqlite.js';

for (const library of [drizzleSqliteLibrary, knexSqliteLibrary, typeormSqliteLibrary]) {
  describeOnSqlite(library);
}
