import { library } from '../../tsup.config.js';

export default library({
  entry: {
    index: 'src/index.ts',
    'postgres/index': 'src/postgres/index.ts',
    'sqlite/index': 'src/sqlite/index.ts',
  },
});
