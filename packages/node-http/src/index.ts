export { readRequest } from './read-request.js';
export { sendReply } from './send-reply.js';
export { withoutOrigin } from './without-origin.js';
