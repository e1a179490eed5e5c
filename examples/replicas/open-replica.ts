import { createPartnerHiring, type PartnerHiring, type PartnerHiringOptions } from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { consoleAlerts, consoleLogger, outliveReaders } from '../server/console-output.js';
import { stopOnSignal } from '../server/stop-signals.js';

/** What every replica needs to know: it is the same for all, so any number can be started. */
export interface ReplicaSettings {
  readonly databaseUrl: string;
  readonly schema: string;
  /** All must seal and open with the same key. */
  readonly secretKey: string;
}

/** A replica's options beyond what all have in common. */
export type ReplicaOptions = Pick<PartnerHiringOptions<PostgresTransaction>, 'transport'>;

/** Opens the partner API in this process, on the database that all share. */
export async function openReplica(
  { databaseUrl: connectionString, schema, secretKey }: ReplicaSettings,
  options: ReplicaOptions = {},
): Promise<PartnerHiring<PostgresTransaction>> {
  return createPartnerHiring({
    // The deployment has migrated. Connections of all processes together must be fewer than the server's.
    storage: await createPostgresStorage({ connectionString, schema, migrate: 'never', maxConnections: 5 }),
    secretKey,
    alerts: consoleAlerts,
    logger: consoleLogger,
    // The partner of this example listens on this machine, in plain http. Leave this out in production.
    allowPrivateNetworks: true,
    ...options,
  });
}

/** The environment in which a replica is started. */
export function toEnvironment(settings: ReplicaSettings): Record<string, string> {
  return { REPLICA: JSON.stringify(settings) };
}

/** What `toEnvironment` has put there. Where somebody else did, this process ends and says how it is started. */
export function fromEnvironment(): ReplicaSettings {
  try {
    return JSON.parse(process.env.REPLICA ?? '') as ReplicaSettings;
  } catch {
    // The error would quote what was given, and with it the database's password and the sealing key.
    console.error('REPLICA holds no settings. `npm run replicas` starts the replicas, and hands them over.');
    process.exit(1);
  }
}

/** Stops when asked to, or when the process that started this one is gone; tells it that all is ready. */
export function announce(stop: () => Promise<void>, address: string | null): void {
  // It stops in its own time also where what started it is gone, and reads no more.
  outliveReaders();
  stopOnSignal(stop);
  // What started this may be gone already.
  if (process.connected) process.send?.({ isReady: true, address });
  else process.exit(1);
}
