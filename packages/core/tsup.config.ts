import { library } from '../../tsup.config.js';

export default library({
  entry: {
    index: 'src/index.ts',
    'openapi/index': 'src/openapi/index.ts',
    'ports/index': 'src/ports/index.ts',
  },
});
