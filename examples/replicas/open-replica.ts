import {
  createPartnerHiring,
  type PartnerHiring,
  type PartnerHiringOptions,
  type StoppableServer,
  stopOnSignals,
} from '@partner-hiring/core';
import { createPostgresStorage, type PostgresTransaction } from '@partner-hiring/postgres';
import { consoleAlerts, consoleLogger, outliveReaders, printError } from '../server/console-output.js';
import { stopWithParent } from '../server/stop-with-parent.js';

/** The settings of every replica. */
export interface ReplicaSettings {
  readonly databaseUrl: string;
  readonly schema: string;
  /** All replicas need the same sealing key. */
  readonly secretKey: string;
}

/** Options that differ between replicas. */
export type ReplicaOptions = Pick<PartnerHiringOptions<PostgresTransaction>, 'transport'>;

/** Opens the partner API on the shared database. */
export async function openReplica(
  { databaseUrl: connectionString, schema, secretKey }: ReplicaSettings,
  options: ReplicaOptions = {},
): Promise<PartnerHiring<PostgresTransaction>> {
  return createPartnerHiring({
    // The deployment has already migrated the database. All processes together must stay below the server's
    // connection limit, so each pool is small.
    storage: await createPostgresStorage({ connectionString, schema, migrate: 'never', maxConnections: 5 }),
    secretKey,
    alerts: consoleAlerts,
    logger: consoleLogger,
    // Allows webhooks to the example's receiver, which uses plain http on this machine. Remove this in
    // production.
    allowPrivateNetworks: true,
    ...options,
  });
}

/** Builds the environment of a replica. */
export function toEnvironment(settings: ReplicaSettings): Record<string, string> {
  return { REPLICA: JSON.stringify(settings) };
}

/** Reads the settings that `toEnvironment` has written. Exits with a hint if they are invalid. */
export function fromEnvironment(): ReplicaSettings {
  try {
    return JSON.parse(process.env.REPLICA ?? '') as ReplicaSettings;
  } catch {
    // The parse error is not printed: it would contain the database password and the sealing key.
    printError('REPLICA has no settings. Start the replicas with `npm run replicas`.');
    process.exit(1);
  }
}

/** Reports ready to the parent process. Stops on a signal, or when the parent is gone. */
export function announce(
  partnerHiring: PartnerHiring<PostgresTransaction>,
  server: StoppableServer | undefined,
  address: string | null,
): void {
  // After the parent has ended, writing to its closed pipe must not crash this process, so that it stops
  // gracefully.
  outliveReaders();
  // The balancer of this example tries another process at once, so nothing waits for it to notice.
  stopWithParent(stopOnSignals({ partnerHiring, server, drainMs: 0, logger: consoleLogger }));
  // The parent may already be gone.
  if (process.connected) process.send?.({ isReady: true, address });
  else process.exit(1);
}
