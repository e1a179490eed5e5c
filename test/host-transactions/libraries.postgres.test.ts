/** Transactions of the libraries that the storage itself uses, and of any other. Those of ORMs are in `orms`. */
import { describeOnPostgres } from './describe-on-postgres.js';
import { kyselyLibrary } from './libraries/kysely.js';
import { pgLibrary } from './libraries/pg.js';
import { seamLibrary } from './libraries/seam.js';

for (const library of [pgLibrary, kyselyLibrary, seamLibrary]) describeOnPostgres(library);
