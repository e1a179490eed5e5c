import type { ResumeState } from '../domain/application.js';
import type { ApplicationId } from '../domain/ids.js';
import { nextResumeRound, REFUSED_BY_SCANNER, type ResumeFileTask } from '../domain/resume.js';
import { DAY_MS, type Instant, MINUTE_MS } from '../domain/time.js';
import { StorageUnavailable } from '../errors.js';
import type { ResumeFileRepository } from '../ports/repositories/claims.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from '../ports/resumes.js';
import type { Runtime } from '../ports/runtime.js';
import type { Repositories, Storage } from '../ports/storage.js';
import type { Logger } from '../ports/telemetry.js';
import type { StorageClock } from '../storage-clock.js';
import { createResumeRound, type ResumeRound } from './fetch-resume-files/resume-round.js';
import type { Found, PeriodicTask } from './loop.js';
import { recordThroughOutage } from './record-through-outage.js';

/** What fetching résumés needs. */
export interface ResumeFetcherOptions {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  readonly source: ResumeSource;
  /** Undefined if the host brings none. */
  readonly scanner: ResumeScanner | undefined;
  readonly sink: ResumeSink;
  readonly runtime: Runtime;
  /** By which a round is due, and for when it ended. */
  readonly storageClock: StorageClock;
  readonly logger: Logger;
  /** How many at once. */
  readonly concurrency: number;
  /** Called when one has ended and another can be taken on. */
  onRoom(): void;
  /** Called once it is recorded that one is not tried again. `reason`: as the application has it. */
  onGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** Outlasts a fetch, a scan, three tries to store, each as long as it may take, and a patient record of it. */
const LEASE_MS = 11 * MINUTE_MS;

/** Builds the chore that fetches résumés and hands them to the host. Spec: States and transitions, `POST`. */
export function createResumeFetcher(options: ResumeFetcherOptions): PeriodicTask {
  const { storage, storageClock, source, scanner, sink, runtime, logger, concurrency, onRoom, onGivenUp } =
    options;
  const { clock, random } = runtime;
  const fetchAndStore = createResumeRound({ source, scanner, sink, clock, logger });
  /** Rounds, not applications: after a sleep past its claim, one may be under way twice. */
  const underWay = new Map<ResumeFileTask, Promise<void>>();

  /** Keys with none under way come first: a server that hangs holds up the résumés of its own key. */
  async function poll(): Promise<Found> {
    const { resumeFiles } = storage.direct;
    const keys = new Set([...underWay.keys()].map(({ keyId }) => keyId));
    const ofOthers =
      keys.size === 0
        ? 0
        : await takeOn((lease, now, room) => resumeFiles.claimOfOthers(lease, now, room, [...keys]));
    const taken = ofOthers + (await takeOn((lease, now, room) => resumeFiles.claim(lease, now, room)));
    return taken === 0 ? 'nothing' : 'some';
  }

  async function takeOn(claim: ResumeFileRepository['claim']): Promise<number> {
    const room = concurrency - underWay.size;
    if (room <= 0) return 0;
    const token = random.token();
    const tasks = await claim({ token, forMs: LEASE_MS }, await storageClock.sync(), room);
    for (const task of tasks) begin(task, token);
    return tasks.length;
  }

  function begin(task: ResumeFileTask, token: string): void {
    const work = runRound(task, token).finally(() => {
      underWay.delete(task);
      onRoom();
    });
    underWay.set(task, work);
  }

  async function runRound(task: ResumeFileTask, token: string): Promise<void> {
    try {
      const round = await fetchAndStore(task);
      const ended = { task, token, round, endedAt: storageClock.now() };
      const record = () => recordThroughOutage(() => storage.transaction((tx) => recordRound(tx, ended)));
      const recorded = await record().catch((err) => putOffRefused(ended, err));
      if (recorded?.kind === 'failed') onGivenUp(task.applicationId, recorded.reason);
    } catch (err) {
      const { applicationId } = task;
      logger.error({ err, applicationId }, 'Fetching a résumé broke off; it is tried again.');
    }
  }

  /**
   * What the database refuses, as a host's trigger may, it will refuse again: the round counts as one that failed, in the
   * task alone, which is kept. Given up, the résumé could not be asked for again, for its application has it as pending.
   */
  async function putOffRefused({ task, token, endedAt }: EndedRound, err: unknown): Promise<null> {
    if (err instanceof StorageUnavailable) throw err;
    const { applicationId } = task;
    logger.error({ err, applicationId }, REFUSED);
    const attempts = task.attempts + 1;
    const dueAt = nextResumeRound(attempts, endedAt) ?? endedAt + DAY_MS;
    await recordThroughOutage(() => storage.direct.resumeFiles.postpone({ ...task, attempts, dueAt }, token));
    return null;
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.values());
  }

  return { name: 'fetch-resumes', poll, idle };
}

const REFUSED =
  'The database refused to record what came of a résumé. See which trigger or constraint does: it is fetched and stored ' +
  'again ever more rarely, once a day in the end, until that is put right.';

/** A round that is to be recorded, under the token of its claim. */
interface EndedRound {
  readonly task: ResumeFileTask;
  readonly token: string;
  readonly round: ResumeRound;
  readonly endedAt: Instant;
}

/** Ends the task or puts it off; null where the claim is lost. Whatever comes of it, the submission stands. */
async function recordRound(
  tx: Repositories,
  { task, token, round, endedAt }: EndedRound,
): Promise<ResumeState | null> {
  const { applicationId } = task;
  const attempts = task.attempts + 1;
  const dueAt = round.kind === 'failed' && round.retryable ? nextResumeRound(attempts, endedAt) : null;
  const isHeld =
    dueAt === null
      ? await tx.resumeFiles.finish(applicationId, token)
      : await tx.resumeFiles.postpone({ ...task, attempts, dueAt }, token);
  if (!isHeld) return null;
  const resume: ResumeState = dueAt === null ? lastState(round, endedAt) : { kind: 'pending', attempts };
  await tx.applications.saveResume(applicationId, resume);
  return resume;
}

function lastState(round: ResumeRound, endedAt: Instant): ResumeState {
  switch (round.kind) {
    case 'stored':
      return { kind: 'fetched', location: round.location, fetchedAt: endedAt };
    case 'refused':
      return { kind: 'failed', reason: REFUSED_BY_SCANNER, detail: round.detail, failedAt: endedAt };
    case 'failed':
      return { kind: 'failed', reason: round.reason, failedAt: endedAt };
  }
}
