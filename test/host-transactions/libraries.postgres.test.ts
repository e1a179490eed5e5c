/** Transactions of each library for which there is an adapter. `npm run test:orms` also runs Prisma, and the oldest versions. */
import { describeOnPostgres } from './describe-on-postgres.js';
import { drizzleLibrary, drizzleOnPostgresJs } from './libraries/drizzle.js';
import { knexLibrary } from './libraries/knex.js';
import { kyselyLibrary } from './libraries/kysely.js';
import { pgLibrary } from './libraries/pg.js';
import { postgresJsLibrary } from './libraries/postgres-js.js';
import { seamLibrary } from './libraries/seam.js';
import { typeormLibrary } from './libraries/typeorm.js';

for (const library of [
  pgLibrary,
  kyselyLibrary,
  drizzleLibrary,
  drizzleOnPostgresJs,
  knexLibrary,
  typeormLibrary,
  postgresJsLibrary,
  seamLibrary,
]) {
  describeOnPostgres(library);
}
