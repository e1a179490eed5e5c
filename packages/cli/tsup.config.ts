import { library } from '../../tsup.config.js';

export default library({ entry: { index: 'src/index.ts', cli: 'src/cli.ts' } });
