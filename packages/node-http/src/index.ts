export { handlerOf, liesUnder, localTarget, refuseBasePathTwice, withoutOrigin } from './mounting.js';
export { createUntakenReader, RAW_BODY, rawHeadersOf, readRequest } from './read-request.js';
export { sendReply } from './send-reply.js';
export { trustsProxy } from './trusts-proxy.js';
