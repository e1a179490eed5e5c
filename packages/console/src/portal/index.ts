export type {
  ConsoleFastifyInstance,
  ConsoleFastifyPlugin,
  ConsoleFastifyReply,
  ConsoleFastifyRequest,
} from '../mount/fastify-plugin.js';
export type { ConsoleNodeHandler, ConsoleNodeRequest } from '../mount/node-handler.js';
export type { PortalActor, PortalActorHook } from './actor.js';
export { createPartnerPortal, type PartnerPortal } from './create-partner-portal.js';
export type { PartnerPortalOptions, PortalBrand } from './options.js';
