import { library } from '../../tsup.config.js';

const ADAPTERS = ['better-sqlite3', 'drizzle', 'knex', 'kysely', 'prisma', 'typeorm'];

/** The shared queries are private: they travel inside. */
export default library({
  entry: {
    index: 'src/index.ts',
    ...Object.fromEntries(ADAPTERS.map((name) => [`${name}/index`, `src/${name}/index.ts`])),
  },
  noExternal: ['@partner-hiring/storage-kysely'],
});
