import { library } from '../../tsup.config.js';

export default library({
  entry: {
    index: 'src/index.ts',
    'contract/index': 'src/contract/index.ts',
    'ports/index': 'src/ports/index.ts',
  },
  // The service sends some of certify's checks itself.
  noExternal: ['@partner-hiring/certify/checks'],
});
