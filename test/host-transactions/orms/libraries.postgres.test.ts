/** Transactions of ORMs and drivers on PostgreSQL. `npm run test:orms` also runs other versions, and Prisma. */
import { describeOnPostgres } from '../describe-on-postgres.js';
import { drizzleLibrary, drizzleOnPostgresJs } from './drizzle.js';
import { knexLibrary } from './knex.js';
import { postgresJsLibrary } from './postgres-js.js';
import { typeormLibrary } from './typeorm.js';

for (const library of [drizzleLibrary, drizzleOnPostgresJs, knexLibrary, typeormLibrary, postgresJsLibrary]) {
  describeOnPostgres(library);
}
