import {
  type ClientOptions,
  createMemorySubmissionStore,
  createPartnerClient,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type NewSubmission,
  type PartnerClient,
  type SubmissionStore,
} from '@partner-hiring/client';
import type { PartnerHiringOptions } from '@partner-hiring/core';
import { settle, whileBusy } from '../../support/clock.js';
import { BASE_PATH, createEmployer, createPartner, type Partner } from '../../support/partner.js';
import type { HostTransaction } from '../../support/storages.js';
import { createWorld, type World } from '../../support/world.js';

/** What may become of a request on its way; the rest of the way, it is the real API that answers. */
export type Fate =
  | 'arrives'
  | 'lost_before'
  | 'lost_after'
  | 'body_lost'
  | 'garbage_after'
  | '503_after'
  | '503_instead'
  | 'hangs_before'
  | 'hangs_after';

/** An exchange as the network saw it. Status 0: the client has got no answer. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly idempotencyKey: string | null;
  readonly body: string | null;
  /** What the API answered; null if the request never arrived. */
  readonly answered: number | null;
  readonly at: number;
}

/** A partner's process, or several one after another, on a network that can be told what to do. */
export interface ClientStage {
  readonly world: World;
  readonly partner: Partner;
  readonly store: SubmissionStore;
  readonly exchanges: readonly Exchange[];
  /** The way to the API. */
  readonly fetch: Fetch;
  /** The fates of the next requests, in their order; after them all arrive. */
  plan(...fates: readonly Fate[]): void;
  /** Answers requests in place of the network; null lets one go on. */
  intercept(answer: ((url: string) => FetchResponse | null) | null): void;
  /** A client as a process starts it, on the stage's store. */
  client(options?: Partial<ClientOptions>): PartnerClient;
  /** Turns the clock, a second at a time, until it is settled. */
  during<Result>(work: Promise<Result>): Promise<Result>;
  /** All applications of the partner, by source id. */
  applications(): Promise<readonly { readonly id: string; readonly sourceApplicationId: string | null }[]>;
  /** A company with a job. */
  employer(): Promise<{ readonly companyId: `co_${string}`; readonly jobId: `job_${string}` }>;
  close(): Promise<void>;
}

/** More than any story takes. */
const LONGEST_STORY_SECONDS = 3_600;
const NO_ANSWER = new TypeError('fetch failed');

/** Opens a stage on a fresh database. */
export async function openClientStage(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
): Promise<ClientStage> {
  const world = await createWorld(options);
  const partner = await createPartner(world, { endpoint: false });
  const store = createMemorySubmissionStore();
  const exchanges: Exchange[] = [];
  const fates: Fate[] = [];
  let interceptor: ((url: string) => FetchResponse | null) | null = null;
  let underWay = 0;
  const stopWatching = whileBusy(() => underWay > 0);

  async function reach(url: string, init: FetchInit): Promise<Response> {
    underWay += 1;
    try {
      const { method, headers, body } = init;
      const response = await world.partnerHiring.fetch(
        new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
      );
      note(url, init, response.status);
      return response;
    } finally {
      underWay -= 1;
    }
  }

  function note(url: string, { method, headers, body }: FetchInit, answered: number | null): void {
    const idempotencyKey = headers['idempotency-key'] ?? null;
    exchanges.push({ method, url, idempotencyKey, body: body ?? null, answered, at: world.clock.now() });
  }

  async function travel(url: string, init: FetchInit): Promise<FetchResponse> {
    const answer = interceptor?.(url) ?? null;
    if (answer !== null) return answer;
    const fate = fates.shift() ?? 'arrives';
    const arrives = !['lost_before', 'hangs_before', '503_instead'].includes(fate);
    const response = arrives ? await reach(url, init) : null;
    if (response === null) note(url, init, null);
    if (fate === 'lost_before' || fate === 'lost_after') throw NO_ANSWER;
    if (fate.startsWith('hangs')) return new Promise(() => {});
    if (fate === 'body_lost') return { ...withStatus(201), text: () => Promise.reject(NO_ANSWER) };
    if (fate === 'garbage_after') return withStatus(200, '<html>Please log in</html>');
    if (fate.startsWith('503')) return withStatus(503, '{"error":"SERVICE_UNAVAILABLE","message":"down"}');
    if (response === null) throw NO_ANSWER;
    return response;
  }

  return {
    world,
    partner,
    store,
    exchanges,
    fetch: travel,
    plan: (...next) => void fates.push(...next),
    intercept: (answer) => {
      interceptor = answer;
    },
    client: (changes = {}) =>
      createPartnerClient({
        baseUrl: `https://api.example.org${BASE_PATH}`,
        apiKey: partner.secret,
        submissions: store,
        clock: world.clock,
        fetch: travel,
        ...changes,
      }),
    during: async (work) => {
      let isSettled = false;
      const end = () => {
        isSettled = true;
      };
      work.then(end, end);
      for (let second = 0; second < LONGEST_STORY_SECONDS; second += 1) {
        // Hashing happens outside of the event loop, and takes no turns of it.
        await new Promise((resolve) => setTimeout(resolve, 1));
        await settle();
        if (isSettled) return work;
        await world.clock.advance(1_000);
      }
      throw new Error('The story does not end.');
    },
    applications: async () => {
      const { json } = await partner.get('/applications?limit=200');
      return json.data as { id: string; sourceApplicationId: string | null }[];
    },
    employer: () => createEmployer(world, partner),
    close: async () => {
      stopWatching();
      await world.close();
    },
  };
}

/** A submission as a partner's program makes it. */
export function candidate(
  jobId: string,
  sourceApplicationId: string,
  changes: Partial<NewSubmission> = {},
): NewSubmission {
  return {
    jobId,
    candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
    consentToContact: true,
    sourceApplicationId,
    ...changes,
  };
}

/** An answer that is none of the API's. */
export function withStatus(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): FetchResponse {
  return { status, headers: new Headers(headers), text: async () => body };
}
