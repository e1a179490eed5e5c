import { isError } from '../../domain/any-realm.js';
import type { ResumeRemoval } from '../../domain/resume.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.js';
import type { ResumeSink } from '../../ports/resumes.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { Logger } from '../../ports/telemetry.js';
import type { StorageClock } from '../../storage-clock.js';
import { withDeadline } from '../../worker/host-deadline.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';
import { recordThroughOutage } from '../../worker/record-through-outage.js';

export interface ResumeRemoverOptions {
  readonly direct: Pick<Repositories, 'resumeRemovals'>;
  readonly sink: ResumeSink;
  readonly runtime: Runtime;
  readonly storageClock: StorageClock;
  readonly logger: Logger;
}

const BATCH = 16;
/** The sink may be on another continent. */
const REMOVE_MS = 2 * MINUTE_MS;
/** A slow batch and its record take less time. */
const LEASE_MS = 5 * MINUTE_MS;
const FIRST_DELAY_MS = 30 * SECOND_MS;
const LONGEST_DELAY_MS = 6 * HOUR_MS;
/** How long removals wait for a sink that can remove. */
const WITHOUT_REMOVE_MS = HOUR_MS;

const CANNOT_REMOVE =
  'Résumés of erased candidates wait for their removal, because `resumeSink` has no `remove`. Add it, and restart the worker.';

/** Removes the résumés of erased candidates from the sink. Retries until the sink succeeds. */
export function createResumeRemover(options: ResumeRemoverOptions): PeriodicTask {
  const { direct, sink, runtime, storageClock, logger } = options;
  const { clock, random } = runtime;
  let isReported = false;

  async function poll(): Promise<Found> {
    const token = random.token();
    const lease = { token, forMs: LEASE_MS };
    const claimed = await direct.resumeRemovals.claim(lease, await storageClock.sync(), BATCH);
    if (claimed.length === 0) return 'nothing';
    const ended = await Promise.all(
      claimed.map(async (removal) => ({ removal, isDone: await remove(removal) })),
    );
    const done = ended.filter(({ isDone }) => isDone).map(({ removal }) => removal.applicationId);
    const left = ended.filter(({ isDone }) => !isDone).map(({ removal }) => postponed(removal));
    await recordThroughOutage(() => direct.resumeRemovals.finish(done, token));
    await recordThroughOutage(() => direct.resumeRemovals.postpone(left, token));
    return claimed.length === BATCH ? 'full' : 'some';
  }

  async function remove({ applicationId, location }: ResumeRemoval): Promise<boolean> {
    if (sink.remove === undefined) {
      if (!isReported) logger.error({ applicationId }, CANNOT_REMOVE);
      isReported = true;
      return false;
    }
    try {
      await withDeadline(clock, REMOVE_MS, sink.remove({ applicationId, location }));
      return true;
    } catch (error) {
      // The message of the error may contain the location, which may contain a name.
      const { name, code } = partsOf(error);
      logger.error(
        { applicationId, error: name, code },
        'A résumé could not be removed; the worker retries it.',
      );
      return false;
    }
  }

  function postponed(removal: ResumeRemoval): ResumeRemoval {
    const attempts = removal.attempts + 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** removal.attempts, LONGEST_DELAY_MS);
    const waitMs = sink.remove === undefined ? WITHOUT_REMOVE_MS : delay;
    return { ...removal, attempts, dueAt: storageClock.now() + waitMs };
  }

  return { name: 'remove-resumes', poll, idle: async () => {} };
}

/** A code is one word, such as `ENOENT`. */
function partsOf(error: unknown): { readonly name: string; readonly code: string | null } {
  if (!isError(error)) return { name: typeof error, code: null };
  const code: unknown = Reflect.get(error, 'code');
  return { name: wordOf(error.name) ?? 'Error', code: typeof code === 'string' ? wordOf(code) : null };
}

function wordOf(text: string): string | null {
  return /^[A-Za-z_]{1,40}$/.test(text) ? text : null;
}
