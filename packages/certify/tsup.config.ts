import { library } from '../../tsup.config.js';

export default library({
  entry: { index: 'src/index.ts', cli: 'src/cli.ts' },
  // What the service itself sends. Core has libraries that certify does without.
  noExternal: ['@partner-hiring/core/probes'],
});
