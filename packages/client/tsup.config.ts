import { library } from '../../tsup.config.js';

export default library({
  entry: {
    index: 'src/index.ts',
    'file-store/index': 'src/file-store/index.ts',
    'testing/index': 'src/testing/index.ts',
  },
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/],
  shims: false,
});
