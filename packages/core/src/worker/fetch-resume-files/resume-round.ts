import pRetry from 'p-retry';
import type { ResumeFileTask } from '../../domain/resume.js';
import { MINUTE_MS } from '../../domain/time.js';
import { NetworkUnavailable } from '../../errors.js';
import type {
  ResumeFailure,
  ResumeFile,
  ResumeScanner,
  ResumeSink,
  ResumeSource,
} from '../../ports/resumes.js';
import type { Clock } from '../../ports/runtime.js';
import type { Logger } from '../../ports/telemetry.js';
import { withDeadline } from '../deadline.js';
import { scanResume } from './scan-resume.js';
import { withoutName } from './without-name.js';

/** What a round of fetching needs. */
export interface ResumeRoundDeps {
  readonly source: ResumeSource;
  /** Undefined if the host brings none: then all that was fetched is stored. */
  readonly scanner: ResumeScanner | undefined;
  readonly sink: ResumeSink;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How one round of fetching ended. */
export type ResumeRound =
  | { readonly kind: 'stored'; readonly location: string }
  /** By the host's scanner; `detail` has its words. */
  | { readonly kind: 'refused'; readonly detail: string }
  | {
      readonly kind: 'failed';
      /** The last three: the host's own source, scanner or store broke. */
      readonly reason: ResumeFailure | 'not_fetched' | 'not_scanned' | 'not_stored';
      readonly retryable: boolean;
    };

/** Six times what the default source takes at most, and short enough for the lease. */
const FETCH_MS = 3 * MINUTE_MS;
/** The longest the host's store may take for one try: it may carry the file to another continent. */
const STORE_MS = 2 * MINUTE_MS;
/** Three tries within a second: a hiccup of the host's store. What lasts longer is another round's. */
const RETRY = { retries: 2, minTimeout: 200, factor: 2 } as const;

/** Builds what fetches a résumé once, has the host's scanner look at it, and hands it to the host's store. */
export function createResumeRound({
  source,
  scanner,
  sink,
  clock,
  logger,
}: ResumeRoundDeps): (task: ResumeFileTask) => Promise<ResumeRound> {
  /**
   * A source that breaks its promise has failed a round, or it would be asked without end. Where nothing could be sent,
   * the task is claimed again once this claim has run out.
   */
  async function fetchOnce({ applicationId, url }: ResumeFileTask) {
    try {
      return await withDeadline(clock, FETCH_MS, source.fetch(url));
    } catch (err) {
      if (err instanceof NetworkUnavailable) throw err;
      logger.error({ err, applicationId }, 'A résumé could not be fetched: its source broke.');
      return { kind: 'failed', reason: 'not_fetched', retryable: true } as const;
    }
  }

  /** Null if the file may be stored. A file that could not be scanned waits for the next round. */
  async function scan(by: ResumeScanner, file: ResumeFile): Promise<ResumeRound | null> {
    const { applicationId, fileName } = file;
    try {
      const result = await scanResume(by, clock, file);
      return result.kind === 'clean' ? null : { kind: 'refused', detail: result.reason };
    } catch (err) {
      logger.error(
        { err: withoutName(err, fileName), applicationId },
        'A résumé could not be scanned. It is not stored.',
      );
      return { kind: 'failed', reason: 'not_scanned', retryable: true };
    }
  }

  return async (task) => {
    const download = await fetchOnce(task);
    if (download.kind === 'failed') return download;
    const { applicationId } = task;
    const { bytes, mediaType, fileName } = download;
    // The scanner and each try to store get bytes of their own: they may change them, or hand them to a thread.
    const fresh = () => ({
      applicationId,
      bytes: Buffer.from(new Uint8Array(bytes).buffer),
      mediaType,
      fileName,
    });
    const refused = scanner === undefined ? null : await scan(scanner, fresh());
    if (refused !== null) return refused;
    try {
      const stored = await pRetry(() => withDeadline(clock, STORE_MS, sink.store(fresh())), RETRY);
      return { kind: 'stored', location: locationOf(stored) };
    } catch (err) {
      logger.error({ err: withoutName(err, fileName), applicationId }, 'A résumé could not be stored.');
      return { kind: 'failed', reason: 'not_stored', retryable: true };
    }
  };
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
