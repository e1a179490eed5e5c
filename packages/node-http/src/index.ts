export { liesUnder } from './lies-under.js';
export { localTarget } from './local-target.js';
export { handlerOf, refuseBasePathTwice } from './mounting.js';
export { readRequest } from './read-request.js';
export { createUntakenReader } from './read-untaken.js';
export { sendReply } from './send-reply.js';
export { withoutOrigin } from './without-origin.js';
