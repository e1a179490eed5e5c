import pRetry from 'p-retry';
import type { ResumeState } from '../domain/application.js';
import type { ApplicationId } from '../domain/ids.js';
import { nextResumeRound, type ResumeTask } from '../domain/resume.js';
import { type Instant, MINUTE_MS } from '../domain/time.js';
import { NetworkUnavailable } from '../errors.js';
import type { ResumeRepository } from '../ports/repositories/resumes.js';
import type { Repositories } from '../ports/repositories.js';
import type { ResumeFailure, ResumeSink, ResumeSource } from '../ports/resume-sink.js';
import type { Runtime } from '../ports/runtime.js';
import type { Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import { withDeadline } from './deadline.js';
import type { Chore, Found } from './loop.js';
import { recordPatiently } from './record-patiently.js';

/** What fetching résumés needs. */
export interface ResumeFetcherOptions {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  readonly source: ResumeSource;
  readonly sink: ResumeSink;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** How many at once. */
  readonly concurrency: number;
  /** Called when one has ended and another can be taken on. */
  onRoom(): void;
  /** Called once it is recorded that one is not tried again. `reason`: as the application has it. */
  onGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** How one round of fetching ended. */
type Round =
  | { readonly kind: 'stored'; readonly location: string }
  | {
      readonly kind: 'failed';
      /** The last two: what was brought for the purpose broke, the source or the store. */
      readonly reason: ResumeFailure | 'not_fetched' | 'not_stored';
      readonly retryable: boolean;
    };

/** Outlasts a fetch, three tries to store, each as long as it may take, and a patient record of it. */
const LEASE_MS = 10 * MINUTE_MS;
/** Six times what the default source takes at most, and short enough for the lease. */
const FETCH_MS = 3 * MINUTE_MS;
/** The longest the host's store may take for one try: it may carry the file to another continent. */
const STORE_MS = 2 * MINUTE_MS;
/** Three tries within a second: a hiccup of the host's store. What lasts longer is another round's. */
const RETRY = { retries: 2, minTimeout: 200, factor: 2 } as const;

/** Builds the chore that fetches résumés and hands them to the host. Spec: States and transitions, `POST`. */
export function createResumeFetcher(options: ResumeFetcherOptions): Chore {
  const { storage, source, sink, runtime, logger, concurrency, onRoom, onGivenUp } = options;
  const { clock, random } = runtime;
  /** Rounds, not applications: after a sleep past its claim, one may be under way twice. */
  const underWay = new Map<ResumeTask, Promise<void>>();

  /** Keys with none under way come first: a server that hangs holds up the résumés of its own key. */
  async function look(): Promise<Found> {
    const { resumes } = storage.direct;
    const keys = new Set([...underWay.keys()].map(({ keyId }) => keyId));
    const ofOthers =
      keys.size === 0
        ? 0
        : await takeOn((lease, now, room) => resumes.claimOfOthers(lease, now, room, [...keys]));
    const taken = ofOthers + (await takeOn((lease, now, room) => resumes.claim(lease, now, room)));
    return taken === 0 ? 'nothing' : 'some';
  }

  async function takeOn(claim: ResumeRepository['claim']): Promise<number> {
    const room = concurrency - underWay.size;
    if (room <= 0) return 0;
    const token = random.token();
    const tasks = await claim({ token, forMs: LEASE_MS }, clock.now(), room);
    for (const task of tasks) begin(task, token);
    return tasks.length;
  }

  function begin(task: ResumeTask, token: string): void {
    const work = runRound(task, token).finally(() => {
      underWay.delete(task);
      onRoom();
    });
    underWay.set(task, work);
  }

  async function runRound(task: ResumeTask, token: string): Promise<void> {
    try {
      const round = await fetchAndStore(task);
      const endedAt = clock.now();
      const recorded = await recordPatiently(() =>
        storage.transaction((tx) => recordRound(tx, task, token, round, endedAt)),
      );
      if (recorded?.kind === 'failed') onGivenUp(task.applicationId, recorded.reason);
    } catch (err) {
      const { applicationId } = task;
      logger.error({ err, applicationId }, 'Fetching a résumé broke off; it is tried again.');
    }
  }

  async function fetchAndStore({ applicationId, url }: ResumeTask): Promise<Round> {
    const download = await fetchOnce(applicationId, url);
    if (download.kind === 'failed') return download;
    const { bytes, mediaType, fileName } = download;
    const file = { applicationId, bytes, mediaType, fileName };
    try {
      const stored = await pRetry(() => withDeadline(clock, STORE_MS, sink.store(file)), RETRY);
      return { kind: 'stored', location: locationOf(stored) };
    } catch (err) {
      logger.error({ err, applicationId }, 'A résumé could not be stored.');
      return { kind: 'failed', reason: 'not_stored', retryable: true };
    }
  }

  /**
   * A source that breaks its promise has failed a round, or it would be asked without end. Where nothing could be sent,
   * the task is claimed again once this claim has run out.
   */
  async function fetchOnce(applicationId: ResumeTask['applicationId'], url: string) {
    try {
      return await withDeadline(clock, FETCH_MS, source.fetch(url));
    } catch (err) {
      if (err instanceof NetworkUnavailable) throw err;
      logger.error({ err, applicationId }, 'A résumé could not be fetched: its source broke.');
      return { kind: 'failed', reason: 'not_fetched', retryable: true } as const;
    }
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values());
  }

  return { name: 'fetch-resumes', look, idle };
}

/**
 * What JavaScript lets through, such as an answer with `Location`, would be a résumé that nobody finds.
 *
 * @throws TypeError if the store did not say where it lies.
 */
function locationOf({ location }: Partial<Record<'location', unknown>>): string {
  if (typeof location === 'string' && location !== '') return location;
  throw new TypeError('The résumé store must answer { location }, a text that says where the résumé lies.');
}

/** Ends the task or puts it off; null where the claim is lost. Whatever comes of it, the submission stands. */
async function recordRound(
  tx: Repositories,
  task: ResumeTask,
  token: string,
  round: Round,
  endedAt: Instant,
): Promise<ResumeState | null> {
  const { applicationId } = task;
  const attempts = task.attempts + 1;
  const dueAt = round.kind === 'failed' && round.retryable ? nextResumeRound(attempts, endedAt) : null;
  const isHeld =
    dueAt === null
      ? await tx.resumes.finish(applicationId, token)
      : await tx.resumes.postpone({ ...task, attempts, dueAt }, token);
  if (!isHeld) return null;
  const resume: ResumeState = dueAt === null ? lastState(round, endedAt) : { kind: 'pending', attempts };
  await tx.applications.saveResume(applicationId, resume);
  return resume;
}

function lastState(round: Round, endedAt: Instant): ResumeState {
  return round.kind === 'stored'
    ? { kind: 'fetched', location: round.location, fetchedAt: endedAt }
    : { kind: 'failed', reason: round.reason, failedAt: endedAt };
}
