/** A worker to be killed while a receiver hiccups. It ends when its parent does. */
import { createPartnerHiring, createSystemRuntime, type Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

process.on('disconnect', () => process.exit());

export interface HiccupWorkerSettings {
  readonly location: DatabaseLocation;
  /** Hexadecimal. */
  readonly secretKey: string;
  readonly leaseMs: number;
}

const { location, secretKey, leaseMs } = JSON.parse(process.argv[2] ?? '') as HiccupWorkerSettings;

function open(): Promise<Storage<never>> {
  const opened =
    location.kind === 'sqlite'
      ? createSqliteStorage({ file: location.file })
      : createPostgresStorage({ connectionString: location.connectionString, ...location.schemas });
  return opened as Promise<Storage<unknown>> as Promise<Storage<never>>;
}

const runtime = createSystemRuntime();
const { random } = runtime;
const partnerHiring = createPartnerHiring({
  storage: await open(),
  secretKey,
  // Shows the test who holds a lease.
  runtime: { ...runtime, random: { ...random, token: () => `${process.pid}-${random.token()}` } },
  allowPrivateNetworks: true,
  worker: { leaseMs },
  alerts: { alert: async () => {} },
  logger: { debug() {}, info() {}, warn() {}, error: (fields, message) => console.error(message, fields) },
});
partnerHiring.worker.start();
process.send?.({ pid: process.pid });
