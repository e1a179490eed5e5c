import { type Candidate, newCandidate, submissionOf } from './candidate.js';
import type { HttpClient } from './http-client.js';
import type { Tenant } from './platform.js';
import type { Replica } from './replicas.js';

/** A candidate that has its 201. */
export interface Acknowledged {
  readonly candidate: Candidate;
  readonly applicationId: `ej_app_${string}`;
  /** How often it was sent. */
  readonly attempts: number;
  /** When the 201 came, on the clock of `performance`. */
  readonly at: number;
}

/** Clients that submit one candidate after another and do not let go of one until it has its 201. */
export interface Storm {
  readonly acknowledged: readonly Acknowledged[];
  /** Begins no further candidate; resolves once all have their 201. Rejects if one was refused. */
  end(): Promise<void>;
}

export interface StormOptions {
  readonly clients: number;
  readonly tenants: readonly Tenant[];
  readonly http: HttpClient;
  /** The API as it stands now; one that is down is in it too, as it is in a list of addresses. */
  readonly replicas: () => readonly Replica[];
}

/** What a client waits before it tries another replica. */
const RETRY_AFTER_MS = 25;
/** A platform that is down for longer than this has not recovered. */
const PATIENCE_MS = 60_000;
/** Answers that ask for another try: unavailable, or the same key still under way elsewhere. */
const TRY_AGAIN: ReadonlySet<number> = new Set([409, 503]);

export function startStorm({ clients, tenants, http, replicas }: StormOptions): Storm {
  const acknowledged: Acknowledged[] = [];
  let isEnding = false;

  async function client(number: number): Promise<void> {
    let turn = number;
    while (!isEnding) {
      const tenant = tenants[turn % tenants.length] as Tenant;
      acknowledged.push(await submitUntilAcknowledged(tenant, turn));
      turn += clients + 1;
    }
  }

  async function submitUntilAcknowledged(tenant: Tenant, firstReplica: number): Promise<Acknowledged> {
    const candidate = newCandidate(tenant.jobId);
    const until = performance.now() + PATIENCE_MS;
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
  // Whoever ends the storm gets the failure; until then it must not end the process.
  running.catch(() => {});
  return {
    acknowledged,
    end: async () => {
      isEnding = true;
      await running;
    },
  };
}
