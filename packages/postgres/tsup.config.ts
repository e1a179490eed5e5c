import { library } from '../../tsup.config.js';

/** The shared queries are private: they travel inside. */
export default library({ entry: ['src/index.ts'], noExternal: ['@partner-hiring/storage-kysely'] });
