import { library } from '../../tsup.config.js';

export default library({
  entry: { index: 'src/index.ts', cli: 'src/cli.ts' },
  // Without the program, which nobody imports: it needs the types of the storages, which are built later.
  dts: process.env.TYPES !== 'off' && { entry: 'src/index.ts', compilerOptions: { noEmit: false } },
});
