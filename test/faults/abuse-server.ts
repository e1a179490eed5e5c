/** The service under attack: the API with default limits, on the test's database. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import express from 'express';
import Fastify from 'fastify';
import { answerParent } from './stage/abuse/answer-parent.js';
import { openLocated } from './stage/open-located.js';

export type Mount = 'fastify' | 'express' | 'fetch';

export interface AbusedServerSettings {
  readonly location: DatabaseLocation;
  readonly mount: Mount;
  /** Hexadecimal. */
  readonly secretKey: string;
  /** Non-default options of `createPartnerHiring`. */
  readonly options: Readonly<Record<string, number | Readonly<Record<string, number>>>>;
}

export interface AbusedServerReady {
  readonly port: number;
}

export interface AbusedServerState {
  /** In bytes. */
  readonly rss: number;
  /** The most bytes read from one connection since the last question. */
  readonly mostRead: number;
}

async function serve(mount: Mount, partnerHiring: PartnerHiring<unknown>): Promise<Server> {
  if (mount === 'fastify') {
    const app = Fastify();
    await app.register(partnerHiringFastify(partnerHiring));
    await app.ready();
    return app.server;
  }
  if (mount === 'express') return createServer(express().use(partnerHiringExpress(partnerHiring)));
  return createServer((request, response) => {
    // The host's server handles an unread body. This one ends the connection.
    response.once('finish', () => {
      if (!request.complete) request.socket.destroy();
    });
    void serveFetch(partnerHiring.fetch, request, response);
  });
}

function watchReads(server: Server): () => number {
  const open = new Set<Socket>();
  let most = 0;
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      most = Math.max(most, socket.bytesRead);
    });
  });
  return () => {
    const read = Math.max(most, ...[...open].map(({ bytesRead }) => bytesRead));
    most = 0;
    return read;
  };
}

const { location, mount, secretKey, options } = JSON.parse(process.argv[2] ?? '') as AbusedServerSettings;
const partnerHiring = createPartnerHiring({ ...options, storage: await openLocated(location), secretKey });
const server = await serve(mount, partnerHiring);
const mostRead = watchReads(server);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const ready: AbusedServerReady = { port: (server.address() as AddressInfo).port };
answerParent(ready, (): AbusedServerState => ({ rss: process.memoryUsage.rss(), mostRead: mostRead() }));
