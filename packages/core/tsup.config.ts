import { library } from '../../tsup.config.js';

export default library({
  entry: {
    index: 'src/index.ts',
    'contract/index': 'src/contract/index.ts',
    'ports/index': 'src/ports/index.ts',
  },
});
