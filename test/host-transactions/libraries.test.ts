/** Transactions of the libraries that the storage itself uses. Those of ORMs are in `orms`. */
import { describeOnSqlite } from './describe-on-sqlite.js';
import { betterSqlite3Library } from './libraries/better-sqlite3.js';
import { kyselySqliteLibrary } from './libraries/kysely-sqlite.js';

for (const library of [betterSqlite3Library, kyselySqliteLibrary]) describeOnSqlite(library);
