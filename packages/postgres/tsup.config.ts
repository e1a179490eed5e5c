import { library } from '../../tsup.config.js';

const ADAPTERS = ['drizzle', 'knex', 'kysely', 'pg', 'postgres-js', 'prisma', 'typeorm'];

/** The shared queries are private: they travel inside. */
export default library({
  entry: {
    index: 'src/index.ts',
    ...Object.fromEntries(ADAPTERS.map((name) => [`${name}/index`, `src/${name}/index.ts`])),
  },
  noExternal: ['@partner-hiring/storage-kysely'],
});
