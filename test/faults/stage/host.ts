import { StorageUnavailable } from '@partner-hiring/core';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import type { Acknowledged } from './storm.js';

/** A host that decides applications, which makes webhooks due. */
export type Host = ReturnType<typeof startHost>;

/** Concurrent decisions. */
const CONCURRENCY = 4;
const LOOK_AGAIN_MS = 10;
/** The longest outage. */
const MAX_OUTAGE_MS = 60_000;

/** Always decides the newest application. */
export function startHost({ operator }: Fixture, acknowledged: readonly Acknowledged[]) {
  const decided: string[] = [];
  let next = 0;
  let isEnding = false;

  async function desk(): Promise<void> {
    while (!isEnding) {
      const application = acknowledged[next];
      if (application === undefined) {
        await pause();
      } else {
        next += 1;
        await decide(application.applicationId, next);
      }
    }
  }

  async function decide(id: `ej_app_${string}`, number: number): Promise<void> {
    const { applications } = operator;
    await withRetry(() => applications.move({ id }));
    const decision = number % 2 === 0 ? 'accepted' : 'rejected';
    await withRetry(() => applications.decide({ id, decision }));
    decided.push(id);
  }

  const running = Promise.all(Array.from({ length: CONCURRENCY }, desk));
  running.catch(() => {});
  return {
    decided,
    /** Waits for decisions in progress. */
    end: async () => {
      isEnding = true;
      await running;
    },
  };
}

/** Repeating a command is safe when its result is unknown. */
async function withRetry(command: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + MAX_OUTAGE_MS;
  for (;;) {
    try {
      await command();
      return;
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || performance.now() > until) throw error;
      await pause();
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}
