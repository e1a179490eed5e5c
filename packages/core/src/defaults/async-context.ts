import { AsyncResource } from 'node:async_hooks';

/**
 * Does work in the async context in which this module was loaded, mostly the process's own: what is begun within a
 * request and goes on for good, as a worker does, is no part of that request. Where the module is loaded within a request
 * it is that one's: Node has no way out of all contexts.
 */
export const outsideRequests: <T>(work: () => T) => T = AsyncResource.bind(<T>(work: () => T) => work());
