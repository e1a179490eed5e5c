export type { ConsoleActor, ConsoleActorHook } from './actor.js';
export { type Console, createConsole } from './create-console.js';
export {
  createOneTimeLogin,
  type OneTimeLogin,
  type OneTimeLoginOptions,
} from './link-sign-in/one-time-login.js';
export type {
  ConsoleFastifyInstance,
  ConsoleFastifyPlugin,
  ConsoleFastifyReply,
  ConsoleFastifyRequest,
} from './mount/fastify-plugin.js';
export type { ConsoleNodeHandler, ConsoleNodeRequest } from './mount/node-handler.js';
export type { ConsoleHandOver, ConsoleOptions } from './options.js';
export { CONSOLE_RIGHTS, type ConsoleRight } from './rights.js';
