/** The service under abuse: the API on a database that the test has filled, with the default limits. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createPartnerHiring, type PartnerHiring } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';
import express from 'express';
import Fastify from 'fastify';
import { answerParent } from './stage/abuse/answer-parent.js';

/** What the API is mounted in. */
export type Mount = 'fastify' | 'express' | 'fetch';

/** What the server is told when it starts. */
export interface AbusedServerSettings {
  readonly location: DatabaseLocation;
  readonly mount: Mount;
  /** In hex. */
  readonly secretKey: string;
  /** Options of `createPartnerHiring` in which the service differs from the defaults. */
  readonly options: Readonly<Record<string, number>>;
}

/** What it says when it is ready. */
export interface AbusedServerReady {
  readonly port: number;
}

/** What it says when it is asked how it is. */
export interface AbusedServerState {
  /** Resident memory in bytes. */
  readonly rss: number;
  /** The most bytes that it has read from one connection since it was last asked. */
  readonly mostRead: number;
}

async function openStorage(location: DatabaseLocation): Promise<Storage<unknown>> {
  if (location.kind === 'sqlite') {
    const { createSqliteStorage } = await import('@partner-hiring/sqlite');
    return createSqliteStorage({ file: location.file }) as Promise<Storage<unknown>>;
  }
  const { createPostgresStorage } = await import('@partner-hiring/postgres');
  const { connectionString, schema } = location;
  return createPostgresStorage({ connectionString, schema }) as Promise<Storage<unknown>>;
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
    // What becomes of an unread body is up to the host's server here. This one ends the connection.
    response.once('finish', () => {
      if (!request.complete) request.socket.destroy();
    });
    void serveFetch(partnerHiring.fetch, request, response);
  });
}

/** Measures the connections of the server. */
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
const partnerHiring = createPartnerHiring({ ...options, storage: await openStorage(location), secretKey });
const server = await serve(mount, partnerHiring);
const mostRead = watchReads(server);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const ready: AbusedServerReady = { port: (server.address() as AddressInfo).port };
answerParent(ready, (): AbusedServerState => ({ rss: process.memoryUsage.rss(), mostRead: mostRead() }));
