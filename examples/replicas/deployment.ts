import { randomBytes } from 'node:crypto';
import type { OperatorCommands } from '@partner-hiring/core';
import { migratePostgres } from '@partner-hiring/postgres';
import { type Balancer, startBalancer } from './balancer.js';
import { openReplica, type ReplicaSettings } from './open-replica.js';
import { createReplica, type Replica, type ReplicaParts } from './replica.js';

/** Two API processes and two workers on one database, behind a balancer. */
export interface Deployment {
  readonly apis: readonly Replica[];
  readonly workers: readonly Replica[];
  readonly balancer: Balancer;
  /** The operator API of this process. This process itself serves no requests and sends no webhooks. */
  readonly operator: OperatorCommands;
  /** Stops all processes concurrently; returns their exit codes. */
  stop(): Promise<readonly (number | null)[]>;
}

/**
 * Migrates the database, then starts all processes.
 *
 * @param interrupted - when this promise rejects, no more processes are started.
 */
export async function deploy(
  databaseUrl: string,
  schema: string,
  onLine: ReplicaParts['onLine'],
  interrupted: Promise<never>,
): Promise<Deployment> {
  const settings: ReplicaSettings = { databaseUrl, schema, secretKey: randomBytes(32).toString('base64') };
  await migratePostgres({ connectionString: databaseUrl, schema });

  const make = (name: string, program: ReplicaParts['program']) =>
    createReplica({ name, program, settings, onLine });
  const apis = [make('api-1', 'api.ts'), make('api-2', 'api.ts')];
  const workers = [make('worker-1', 'worker.ts'), make('worker-2', 'worker.ts')];
  const all = [...apis, ...workers];
  const platform = await openReplica(settings);
  const balancer = await startBalancer(() => apis.flatMap((api) => api.address() ?? []));

  let stopping: Promise<readonly (number | null)[]> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      await balancer.close();
      const codes = await Promise.all(all.map((replica) => replica.stop()));
      await platform.close();
      return codes;
    })();
    return stopping;
  };
  try {
    await Promise.race([Promise.all(all.map((replica) => replica.start())), interrupted]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { apis, workers, balancer, operator: platform.operator, stop };
}
