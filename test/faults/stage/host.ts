import { StorageUnavailable } from '@partner-hiring/core';
import type { Fixture } from '@partner-hiring/test-support/fixture';
import type { Acknowledged } from './storm.js';

/** A host that hires and rejects what comes in, so that webhooks are due. */
export interface Host {
  /** The applications it has decided. */
  readonly decided: readonly string[];
  /** Ends with the decisions that are under way. */
  end(): Promise<void>;
}

/** Decisions under way at once. */
const DESKS = 4;
const LOOK_AGAIN_MS = 10;
/** A database that is down for longer has not recovered. */
const PATIENCE_MS = 60_000;

/** Decides the newest application each time; those it does not come to stay as they are. */
export function startHost({ operator }: Fixture, acknowledged: readonly Acknowledged[]): Host {
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
    await patiently(() => applications.beginEvaluation({ id }));
    const decision = number % 2 === 0 ? 'accepted' : 'rejected';
    await patiently(() => applications.decide({ id, decision }));
    decided.push(id);
  }

  const running = Promise.all(Array.from({ length: DESKS }, desk));
  running.catch(() => {});
  return {
    decided,
    end: async () => {
      isEnding = true;
      await running;
    },
  };
}

/** The same command again changes nothing, so it may be given again when nobody knows what came of it. */
async function patiently(command: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
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
