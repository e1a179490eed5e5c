import { type Candidate, newCandidate, submissionOf } from './candidate.js';
import type { HttpClient } from './http-client.js';
import type { Tenant } from './platform.js';
import type { Replica } from './replicas.js';

/** A candidate with a 201. */
export interface Acknowledged {
  readonly candidate: Candidate;
  readonly applicationId: `ej_app_${string}`;
  readonly attempts: number;
  /** On the clock of `performance`. */
  readonly at: number;
}

/** Clients that repeat each submission until it gets a 201. */
export interface Storm {
  readonly acknowledged: readonly Acknowledged[];
  /** Resolves when all started candidates have a 201. Rejects if one was refused. */
  end(): Promise<void>;
}

export interface StormOptions {
  readonly clients: number;
  readonly tenants: readonly Tenant[];
  readonly http: HttpClient;
  /** The current replicas, including those that are down. */
  readonly replicas: () => readonly Replica[];
}

/** The pause before another replica. */
const RETRY_AFTER_MS = 25;
/** The longest outage. */
const MAX_OUTAGE_MS = 60_000;
/** Unavailable, or the same key in progress elsewhere. */
const TRY_AGAIN: ReadonlySet<number> = new Set([409, 503]);

export function startStorm({ clients, tenants, http, replicas }: StormOptions): Storm {
  const acknowledged: Acknowledged[] = [];
  let isEnding = false;

  async function client(number: number): Promise<void> {
    let count = number;
    while (!isEnding) {
      const tenant = tenants[count % tenants.length] as Tenant;
      acknowledged.push(await submitUntilAcknowledged(tenant, count));
      count += clients + 1;
    }
  }

  async function submitUntilAcknowledged(tenant: Tenant, firstReplica: number): Promise<Acknowledged> {
    const candidate = newCandidate(tenant.jobId);
    const until = performance.now() + MAX_OUTAGE_MS;
    for (let attempts = 1; performance.now() < until; attempts += 1) {
      const all = replicas();
      const replica = all[(firstReplica + attempts) % all.length] as Replica;
      const answer = await http.send(submissionOf(replica.url, tenant.secret, candidate));
      if (answer?.status === 201) {
        const { id } = JSON.parse(answer.text) as { readonly id: `ej_app_${string}` };
        return { candidate, applicationId: id, attempts, at: performance.now() };
      }
      if (answer !== null && !TRY_AGAIN.has(answer.status)) {
        throw new Error(`A candidate was refused with ${answer.status}: ${answer.text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
    throw new Error('A candidate got no 201 in time.');
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  // `end` throws the error; until then it must not end the process.
  running.catch(() => {});
  return {
    acknowledged,
    end: async () => {
      isEnding = true;
      await running;
    },
  };
}
