import type { RateLimits } from '@partner-hiring/core';
import { BASE_PATH } from '@partner-hiring/test-support/partner';
import { type Child, startChild } from './child.js';

/** What a replica is told when it starts. */
export interface ReplicaSettings {
  readonly role: 'api' | 'worker';
  readonly connectionString: string;
  readonly schema: string;
  /** In hex. */
  readonly secretKey: string;
  readonly limits?: Partial<RateLimits>;
  readonly leaseMs?: number;
}

/** What a replica says when it is ready. */
export interface ReplicaReady {
  /** Null of a worker. */
  readonly port: number | null;
  readonly pid: number;
}

/** One replica: where it answers, if it is the API, and how it is ended. */
export interface Replica extends Omit<Child<ReplicaReady>, 'ready'> {
  readonly pid: number;
  readonly url: string;
}

export async function startReplica(settings: ReplicaSettings): Promise<Replica> {
  const { ready, ...child } = await startChild<ReplicaReady>('replica.ts', [JSON.stringify(settings)]);
  return { ...child, pid: ready.pid, url: `http://127.0.0.1:${ready.port}${BASE_PATH}` };
}
