import { library } from '../../tsup.config.js';

/** The command contains the verifier's signatures, so that the package has no dependencies. */
export default library({
  entry: {
    index: 'src/index.ts',
    'file-store/index': 'src/file-store/index.ts',
    'listen/cli': 'src/listen/cli.ts',
    'testing/index': 'src/testing/index.ts',
  },
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  noExternal: ['@partner-hiring/webhook-verifier'],
  shims: false,
});
