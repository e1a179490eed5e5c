import type { ResumeState } from '../../domain/application.js';
import type { ApplicationId } from '../../domain/ids.js';
import { nextResumeRound, REFUSED_BY_SCANNER, type ResumeFileTask } from '../../domain/resume.js';
import { DAY_MS, type Instant, MINUTE_MS } from '../../domain/time.js';
import { StorageUnavailable } from '../../errors.js';
import type { Runtime } from '../../ports/runtime.js';
import type { Repositories, Storage } from '../../ports/storage.js';
import type { StorageClock } from '../../storage-clock.js';
import { createFailingHosts } from '../../worker/failing-hosts.js';
import type { Found, PeriodicTask } from '../../worker/loop.js';
import { recordThroughOutage } from '../../worker/record-through-outage.js';
import type { ResumeFileRepository } from './repository.js';
import { createResumeRound, type ResumeRound, type ResumeRoundDeps } from './round-task.js';

export const FETCH_RESUMES = 'fetch-resumes';

export interface ResumeFetcherOptions extends Omit<ResumeRoundDeps, 'clock'> {
  readonly storage: Pick<Storage<unknown>, 'direct' | 'transaction'>;
  readonly runtime: Runtime;
  /** Decides what is due, and gives the time of results. */
  readonly storageClock: StorageClock;
  readonly deployment?: string | undefined;
  readonly concurrency: number;
  onCapacity(): void;
  /** Called when a résumé is fetched or failed for the last time. */
  onEnded(): void;
  onGivenUp(applicationId: ApplicationId, reason: string): void;
}

/** Longer than the slowest download, the slowest scan, three tries to store and the record take together. */
const LEASE_MS = 11 * MINUTE_MS;
/** This bounds a poll to about 50 statements. */
const MOST_ASIDE = 20;

/** Fetches résumés and stores them. Rounds that a cut ends do not count. Contract: 6.10. */
export function createResumeFetcher(options: ResumeFetcherOptions): PeriodicTask {
  const { storage, storageClock, runtime, logger, deployment, concurrency, onCapacity, onEnded, onGivenUp } =
    options;
  const { clock, random } = runtime;
  const fetchAndStore = createResumeRound({ ...options, clock });
  /**
   * Has one entry per round. An application may have two rounds if the process slept longer than its lease.
   */
  const inProgress = new Map<ResumeFileTask, Promise<void>>();
  const tokens = new Map<ResumeFileTask, string>();
  const hosts = createFailingHosts(concurrency);
  let isCut = false;

  /**
   * Claims tasks of keys without a running download first, so that a hanging server delays only its own key. Puts aside
   * the tasks of failing hosts that have enough downloads, so that these hosts do not delay the others of their key.
   */
  async function poll(): Promise<Found> {
    if (isCut) return 'nothing';
    const aside = new Map<ResumeFileTask, string>();
    let claimed = 0;
    let before: number;
    do {
      before = aside.size;
      claimed += await claimInto(aside);
    } while (aside.size > before && aside.size < MOST_ASIDE && !isCut);
    // If they are many, they get a later turn, so that the next poll finds others.
    const isMany = aside.size >= MOST_ASIDE;
    const later = () => storageClock.now() + Math.round((1 + random.fraction()) * MINUTE_MS);
    await Promise.all(
      [...aside].map(([task, token]) =>
        storage.direct.resumeFiles.postpone(isMany ? { ...task, dueAt: later() } : task, token),
      ),
    );
    if (isMany) return 'full';
    return claimed === 0 ? 'nothing' : 'some';
  }

  async function claimInto(aside: Map<ResumeFileTask, string>): Promise<number> {
    const { resumeFiles } = storage.direct;
    const keys = [...new Set([...inProgress.keys()].map(({ keyId }) => keyId))];
    const ofOthers =
      keys.length === 0
        ? 0
        : await claimWith(aside, (lease, now, limit) => resumeFiles.claimOfOthers(lease, now, limit, keys));
    return ofOthers + (await claimWith(aside, (lease, now, limit) => resumeFiles.claim(lease, now, limit)));
  }

  async function claimWith(
    aside: Map<ResumeFileTask, string>,
    claim: ResumeFileRepository['claim'],
  ): Promise<number> {
    const limit = concurrency - inProgress.size;
    if (limit <= 0) return 0;
    const token = random.token();
    const tasks = await claim({ token, forMs: LEASE_MS, deployment }, await storageClock.sync(), limit);
    for (const task of tasks) {
      if (isCut || hosts.isFull(task, inProgress.keys())) aside.set(task, token);
      else begin(task, token);
    }
    return tasks.length;
  }

  function begin(task: ResumeFileTask, token: string): void {
    const work = runRound(task, token).finally(() => {
      inProgress.delete(task);
      tokens.delete(task);
      onCapacity();
    });
    inProgress.set(task, work);
    tokens.set(task, token);
  }

  async function cut(): Promise<void> {
    isCut = true;
    await Promise.all([...tokens].map(([task, token]) => storage.direct.resumeFiles.postpone(task, token)));
  }

  async function runRound(task: ResumeFileTask, token: string): Promise<void> {
    try {
      const round = await fetchAndStore(task);
      hosts.record(task, round.kind === 'failed' && round.retryable);
      const ended = { task, token, round, endedAt: storageClock.now() };
      const record = () => recordThroughOutage(() => storage.transaction((tx) => recordRound(tx, ended)));
      const recorded = await record().catch((err) => postponeRefused(ended, err));
      if (recorded?.kind === 'fetched' || recorded?.kind === 'failed') onEnded();
      if (recorded?.kind === 'failed') onGivenUp(task.applicationId, recorded.reason);
    } catch (err) {
      const { applicationId } = task;
      logger.error({ err, applicationId }, 'Fetching a résumé was interrupted; it will be retried.');
    }
  }

  /**
   * Keeps the task and counts the round, although the database refused the result. Without a task, a pending
   * résumé is never fetched.
   */
  async function postponeRefused({ task, token, endedAt }: EndedRound, err: unknown): Promise<null> {
    if (err instanceof StorageUnavailable) throw err;
    const { applicationId } = task;
    logger.error({ err, applicationId }, REFUSED);
    const attempts = task.attempts + 1;
    const dueAt = nextResumeRound(attempts, endedAt) ?? endedAt + DAY_MS;
    await recordThroughOutage(() => storage.direct.resumeFiles.postpone({ ...task, attempts, dueAt }, token));
    return null;
  }

  async function idle(): Promise<void> {
    while (inProgress.size > 0) await Promise.all(inProgress.values());
  }

  function reopen(): void {
    isCut = false;
  }

  return { name: FETCH_RESUMES, poll, idle, isBusy: () => inProgress.size > 0, cut, reopen };
}

const REFUSED =
  'The database refused to record the result of a résumé. Find the trigger or constraint that refuses it: until then the ' +
  'résumé is fetched and stored again, at last once a day.';

interface EndedRound {
  readonly task: ResumeFileTask;
  readonly token: string;
  readonly round: ResumeRound;
  readonly endedAt: Instant;
}

async function recordRound(
  tx: Repositories,
  { task, token, round, endedAt }: EndedRound,
): Promise<ResumeState | null> {
  const { applicationId } = task;
  const attempts = task.attempts + 1;
  const dueAt =
    round.kind === 'failed' && round.retryable ? nextResumeRound(attempts, endedAt, round.reason) : null;
  const isHeld =
    dueAt === null
      ? await tx.resumeFiles.finish(applicationId, token)
      : await tx.resumeFiles.postpone({ ...task, attempts, dueAt }, token);
  if (!isHeld) {
    if (round.kind === 'stored') await removeIfErased(tx, applicationId, round.location, endedAt);
    return null;
  }
  const resume = dueAt === null ? lastState(round, endedAt) : ({ kind: 'pending', attempts } as const);
  await tx.applications.saveResume(applicationId, resume);
  if (resume.kind !== 'pending') await tellInbox(tx, task, resume.kind, endedAt);
  return resume;
}

/** The candidate was erased while this worker stored the résumé. */
async function removeIfErased(
  { applications, resumeRemovals }: Repositories,
  applicationId: ApplicationId,
  location: string,
  dueAt: Instant,
): Promise<void> {
  const [application] = await applications.findForUpdate([applicationId]);
  if (!application || application.erasedAt === null) return;
  await resumeRemovals.add([{ applicationId, location, attempts: 0, dueAt }]);
}

/** The stamp is taken last: it locks the feed head until the commit. */
async function tellInbox(
  { inbox, feed }: Repositories,
  { applicationId, keyId }: ResumeFileTask,
  kind: 'fetched' | 'failed',
  endedAt: Instant,
): Promise<void> {
  if (!(await inbox.isOn())) return;
  const [range] = await feed.take([{ keyId, count: 1, withoutEvents: true }], endedAt);
  if (range === undefined) throw new Error(`Key ${keyId} has no feed head.`);
  await inbox.add([{ applicationId, keyId, at: range.first, kind: `resume.${kind}` }]);
}

function lastState(
  round: ResumeRound,
  endedAt: Instant,
): Extract<ResumeState, { kind: 'fetched' | 'failed' }> {
  if (round.kind === 'stored') return { kind: 'fetched', location: round.location, fetchedAt: endedAt };
  const reason = round.kind === 'refused' ? REFUSED_BY_SCANNER : round.reason;
  return { kind: 'failed', reason, detail: round.detail, failedAt: endedAt };
}
