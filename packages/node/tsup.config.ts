import { library } from '../../tsup.config.js';

export default library({ entry: ['src/index.ts'], noExternal: ['@partner-hiring/node-http'] });
