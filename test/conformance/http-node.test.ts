import { describeHttp } from '@partner-hiring/conformance';
import { readRequest, sendReply } from '@partner-hiring/node-http';
import { listen } from './listen.js';
import { openStorage } from './open-storage.js';

describeHttp('the plain handler behind Node’s server', {
  openStorage,
  serve: ({ handler }) =>
    listen(async (request, response) => {
      const { url = '/', socket } = request;
      const reply = await handler(readRequest(request, url, socket.remoteAddress ?? 'unknown'));
      sendReply(request, response, reply);
    }),
});
