import type { AddressInfo } from 'node:net';
import { describeHttp, type Served, type ServedApi } from '@partner-hiring/conformance';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import Fastify from 'fastify';
import { openStorage } from './open-storage.js';

describeHttp('Fastify', { openStorage, serve });

async function serve(api: ServedApi): Promise<Served> {
  const app = Fastify({ forceCloseConnections: true });
  await app.register(partnerHiringFastify(api));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
