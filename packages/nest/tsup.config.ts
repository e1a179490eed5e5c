import { library } from '../../tsup.config.js';

export default library({
  entry: ['src/index.ts'],
  noExternal: ['@partner-hiring/express', '@partner-hiring/fastify', '@partner-hiring/node-http'],
});
