/** A replica to be killed: the API on a port, or a worker. It ends when its parent does. */
import type { AddressInfo } from 'node:net';
import { createPartnerHiring, createSystemRuntime } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPostgresStorage } from '@partner-hiring/postgres';
import Fastify from 'fastify';
import type { ReplicaReady, ReplicaSettings } from './stage/replicas.js';

process.on('disconnect', () => process.exit());

const settings = JSON.parse(process.argv[2] ?? '') as ReplicaSettings;
const { role, connectionString, schemas, limits, leaseMs, secretKey } = settings;
const runtime = createSystemRuntime();
const { random } = runtime;
const partnerHiring = createPartnerHiring({
  // Shows the test who holds a lease.
  runtime: { ...runtime, random: { ...random, token: () => `${process.pid}-${random.token()}` } },
  storage: await createPostgresStorage({ connectionString, ...schemas }),
  secretKey,
  allowPrivateNetworks: true,
  ...(limits === undefined ? {} : { limits }),
  ...(leaseMs === undefined ? {} : { worker: { leaseMs } }),
});

async function serve(): Promise<ReplicaReady> {
  const app = Fastify();
  await app.register(partnerHiringFastify(partnerHiring));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, pid: process.pid };
}

function work(): ReplicaReady {
  partnerHiring.worker.start();
  return { port: null, pid: process.pid };
}

process.send?.(role === 'api' ? await serve() : work());
