import pRetry from 'p-retry';
import { isError } from '../../domain/any-realm.js';
import type { ResumeFileTask } from '../../domain/resume.js';
import { MINUTE_MS } from '../../domain/time.js';
import { NetworkUnavailable } from '../../errors.js';
import type {
  ResumeFailure,
  ResumeFile,
  ResumeScanner,
  ResumeScanResult,
  ResumeSink,
  ResumeSource,
} from '../../ports/resumes.js';
import type { Clock } from '../../ports/runtime.js';
import type { Logger } from '../../ports/telemetry.js';
import { withDeadline } from '../../worker/host-deadline.js';

export interface ResumeRoundDeps {
  readonly source: ResumeSource;
  readonly scanner: ResumeScanner | undefined;
  readonly sink: ResumeSink;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type ResumeRound =
  | { readonly kind: 'stored'; readonly location: string }
  | { readonly kind: 'refused'; readonly detail: string }
  | {
      readonly kind: 'failed';
      /** The last three reasons are failures of the host. */
      readonly reason: ResumeFailure | 'not_fetched' | 'not_scanned' | 'not_stored';
      readonly retryable: boolean;
      readonly detail?: string | undefined;
    };

/** Six times the time limit of the default résumé source. */
const FETCH_MS = 3 * MINUTE_MS;
/** A scan of ten megabytes takes seconds. */
const SCAN_MS = MINUTE_MS;
/** The store may be on another continent. */
const STORE_MS = 2 * MINUTE_MS;
/** All tries to store end within a second. The next round tries again. */
const RETRY = { retries: 2, minTimeout: 200, factor: 2 } as const;

export function createResumeRound(deps: ResumeRoundDeps): (task: ResumeFileTask) => Promise<ResumeRound> {
  const { source, scanner, sink, clock, logger } = deps;
  /**
   * Downloads the résumé. Without a network, the round does not count, and the task is claimed again after
   * its lease.
   */
  async function fetchOnce({ applicationId, url }: ResumeFileTask) {
    try {
      return await withDeadline(clock, FETCH_MS, source.fetch(url));
    } catch (err) {
      if (err instanceof NetworkUnavailable) throw err;
      logger.error({ err, applicationId }, 'A résumé could not be fetched because its source failed.');
      return { kind: 'failed', reason: 'not_fetched', retryable: true } as const;
    }
  }

  async function scan(by: ResumeScanner, file: ResumeFile): Promise<ResumeRound | null> {
    const { applicationId, fileName } = file;
    try {
      const result = await scanResume(by, clock, file);
      return result.kind === 'clean' ? null : { kind: 'refused', detail: result.reason };
    } catch (err) {
      logger.error(
        { err: redactFileName(err, fileName), applicationId },
        'A résumé could not be scanned, so it is not stored.',
      );
      return { kind: 'failed', reason: 'not_scanned', retryable: true };
    }
  }

  return async (task) => {
    const download = await fetchOnce(task);
    if (download.kind === 'failed') return download;
    const { applicationId } = task;
    const { bytes, mediaType, fileName } = download;
    // Each call gets a copy, because the host may change or transfer the bytes.
    const copy = () => ({
      applicationId,
      bytes: Buffer.from(new Uint8Array(bytes).buffer),
      mediaType,
      fileName,
    });
    const refused = scanner === undefined ? null : await scan(scanner, copy());
    if (refused !== null) return refused;
    try {
      const stored = await pRetry(() => withDeadline(clock, STORE_MS, sink.store(copy())), RETRY);
      return { kind: 'stored', location: locationOf(stored) };
    } catch (err) {
      logger.error({ err: redactFileName(err, fileName), applicationId }, 'A résumé could not be stored.');
      return { kind: 'failed', reason: 'not_stored', retryable: true };
    }
  };
}

/** Checked at runtime, because JavaScript hosts may return anything. */
function locationOf({ location }: Partial<Record<'location', unknown>>): string {
  if (typeof location === 'string' && location !== '') return location;
  throw new TypeError(
    'The résumé store must answer { location }: a string, not empty, that says where the résumé is.',
  );
}

async function scanResume(scanner: ResumeScanner, clock: Clock, file: ResumeFile): Promise<ResumeScanResult> {
  const deadline = new AbortController();
  try {
    return readResult(await withDeadline(clock, SCAN_MS, scanner.scan(file, { signal: deadline.signal })));
  } catch (error) {
    deadline.abort(error);
    throw error;
  }
}

/** The longest reason, in characters: enough for the name of a finding, but not for a report. */
const MAX_REASON = 200;

function readResult({ kind, reason }: Partial<Record<'kind' | 'reason', unknown>>): ResumeScanResult {
  if (kind === 'clean') return { kind };
  if (kind === 'refused' && typeof reason === 'string' && reason.trim() !== '') {
    return { kind, reason: [...reason.trim().slice(0, 2 * MAX_REASON)].slice(0, MAX_REASON).join('') };
  }
  throw new TypeError(
    "The résumé scanner must answer { kind: 'clean' } or { kind: 'refused', reason }, with a reason that is not blank.",
  );
}

const MAX_CAUSES = 3;

/**
 * Removes the file name, which often contains a candidate's name. Also finds it without its extension, or
 * percent-encoded.
 */
export function redactFileName(error: unknown, fileName: string): unknown {
  const pattern = patternOf(fileName);
  return pattern === null ? error : copyWithout(error, pattern, MAX_CAUSES);
}

/** Copies an error without the matching text. Stack frames stay: they name only code. */
function copyWithout(error: unknown, pattern: RegExp, causes: number): unknown {
  if (!isError(error)) return error;
  const { stack, cause } = error;
  const message = String(error.message);
  return Object.create(error, {
    message: { value: message.normalize('NFC').replace(pattern, '…') },
    stack: { value: stack?.replace(message, () => '') },
    cause: { value: causes === 0 ? undefined : copyWithout(cause, pattern, causes - 1) },
  });
}

function patternOf(fileName: string): RegExp | null {
  const stem = String(fileName)
    .normalize('NFC')
    .replace(/\.[^.]*$/, '');
  const variants = [stem, encodeURIComponent(stem.toWellFormed())].map(wordsPattern);
  if (variants.includes('')) return null;
  return new RegExp(`(?<![\\p{L}\\p{N}])%?(?:${variants.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

function wordsPattern(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.join('[^\\p{L}\\p{N}]{0,3}');
}
