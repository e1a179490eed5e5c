import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import type { FetchHandler } from '@partner-hiring/core';

/** Serves a Node request with a `Request` handler. */
export async function serveFetch(
  fetch: FetchHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const response = await fetch(toRequest(incoming));
  const body = Buffer.from(await response.arrayBuffer());
  if (!incoming.complete) incoming.on('error', () => {}).resume();
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const hasNoBody = method === 'GET' || method === 'HEAD';
  return new Request(url.startsWith('/') ? `http://partner-api.test${url}` : url, {
    method,
    headers,
    ...(hasNoBody ? {} : { body: toWeb(incoming), duplex: 'half' }),
  });
}

/** Converts the request body. Cancelling it keeps the connection open for the reply. */
function toWeb(incoming: IncomingMessage): NonNullable<RequestInit['body']> {
  return ReadableStream.from(incoming.iterator({ destroyOnReturn: false }));
}
