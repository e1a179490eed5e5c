import { SECOND_MS } from '../domain/time.js';
import type { Clock } from '../ports/runtime.js';
import type { Repositories } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';

/** Notifies the workers of other processes of new submissions. */
export interface SubmissionAnnouncer {
  /** Call it after a submission is committed. Never waits: a submission's reply must not depend on it. */
  announce(): void;
  /** Resolves when no announcement is outstanding. */
  idle(): Promise<void>;
}

/** At most ten announcements a second, because PostgreSQL commits notifications one at a time. */
const JOIN_MS = SECOND_MS / 10;

export function createSubmissionAnnouncer(
  { work }: Pick<Repositories, 'work'>,
  clock: Pick<Clock, 'sleep'>,
  logger: Logger,
): SubmissionAnnouncer {
  let running: Promise<void> | null = null;
  let isAwaited = false;
  let hurry: AbortController | null = null;

  async function run(): Promise<void> {
    while (isAwaited) {
      isAwaited = false;
      try {
        await work.announce();
      } catch (err) {
        logger.warn(
          { err },
          'A submission could not be announced; workers find its work at their next poll.',
        );
      }
      hurry = new AbortController();
      await clock.sleep(JOIN_MS, hurry.signal);
      hurry = null;
    }
    running = null;
  }

  return {
    announce() {
      isAwaited = true;
      running ??= run();
    },
    async idle() {
      while (running !== null) {
        hurry?.abort('idle');
        await running;
      }
    },
  };
}
