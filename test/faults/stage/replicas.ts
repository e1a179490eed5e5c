import type { RateLimits } from '@partner-hiring/core';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { type Child, startChild } from './child.js';

export interface ReplicaSettings {
  readonly role: 'api' | 'worker';
  readonly connectionString: string;
  readonly schemas: TestSchema['schemas'];
  /** Hexadecimal. */
  readonly secretKey: string;
  readonly limits?: Partial<RateLimits>;
  readonly leaseMs?: number;
}

export interface ReplicaReady {
  /** Null for a worker. */
  readonly port: number | null;
  readonly pid: number;
}

export interface Replica extends Omit<Child<ReplicaReady>, 'ready'> {
  readonly pid: number;
  readonly url: string;
}

export async function startReplica(settings: ReplicaSettings): Promise<Replica> {
  const { ready, ...child } = await startChild<ReplicaReady>('replica.ts', [JSON.stringify(settings)]);
  return { ...child, pid: ready.pid, url: `http://127.0.0.1:${ready.port}${BASE_PATH}` };
}
