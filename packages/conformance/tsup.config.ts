import { library } from '../../tsup.config.js';

/** ES modules only, because Vitest cannot be required. */
export default library({ entry: ['src/index.ts'], format: ['esm'] });
