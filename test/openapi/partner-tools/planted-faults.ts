import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OWN_SAMPLES } from '@partner-hiring/core/contract';
import { faultsOfResponse, startPrism } from './prism.js';

const EVENT = { id: 'evt_1', type: 'job.closed', createdAt: 'yesterday', apiVersion: 'v1', data: {} };
const ENDPOINT = OWN_SAMPLES.WebhookEndpoint as object;

/** What a service answers wrongly: the method and path, and the body of its 200. */
const FAULTS: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['GET', '/jobs', { data: [{ title: 'Line Cook' }] }],
  ['GET', '/applications/ej_app_1', { id: 'ej_app_1', status: 7 }],
  ['GET', '/events', { data: [EVENT] }],
  ['GET', '/webhook-endpoint', { ...ENDPOINT, url: undefined }],
  ['POST', '/webhook-endpoint/pause', { ...ENDPOINT, consecutiveFailures: 'none' }],
  ['GET', '/webhook-endpoint/deliveries', { data: {} }],
];

/** Puts Prism in front of a service that answers wrongly. Returns the faults that Prism does not notice. */
export async function findUnnoticed(document: string): Promise<readonly string[]> {
  const server = createServer(({ method, url }, response) => {
    const [, , body] = FAULTS.find((fault) => fault[0] === method && fault[1] === url) ?? [];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const prism = await startPrism(document, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const headers = { authorization: 'Bearer pek_live_1' };
    const answers = await Promise.all(
      FAULTS.map(([method, path]) => fetch(prism.url + path, { method, headers })),
    );
    return answers.flatMap((answer, index) =>
      faultsOfResponse(answer).length > 0
        ? []
        : [`a wrong answer to ${FAULTS[index]?.slice(0, 2).join(' ')} goes unnoticed`],
    );
  } finally {
    await prism.stop();
    server.closeAllConnections();
    server.close();
  }
}
