import { library } from '../../tsup.config.js';

export default library({ entry: ['src/index.ts'], target: 'es2022', platform: 'neutral', shims: false });
