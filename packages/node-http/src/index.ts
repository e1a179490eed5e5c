export { handlerOf, refuseBasePathTwice } from './mounting.js';
export { createUntakenReader, RAW_BODY, readRequest } from './read-request.js';
export { sendReply } from './send-reply.js';
export { liesUnder, localTarget, withoutOrigin } from './target.js';
