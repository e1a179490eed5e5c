import { MINUTE_MS } from '../../domain/time.js';
import type { ResumeFile, ResumeScanner, ResumeScanResult } from '../../ports/resumes.js';
import type { Clock } from '../../ports/runtime.js';
import { withDeadline } from '../deadline.js';

/** Ten megabytes take seconds. A scanner that takes longer is stuck, and its round must end within the lease. */
const SCAN_MS = MINUTE_MS;
/** The database keeps what the scanner says: a name of what it found, not a report. */
const MAX_REASON = 200;

/**
 * Asks the host's scanner about one file.
 *
 * @throws whatever the scanner throws, `DeadlinePassed` after a minute, `TypeError` if the answer is not a result.
 */
export async function scanResume(
  scanner: ResumeScanner,
  clock: Clock,
  file: ResumeFile,
): Promise<ResumeScanResult> {
  const deadline = new AbortController();
  try {
    return readResult(await withDeadline(clock, SCAN_MS, scanner.scan(file, { signal: deadline.signal })));
  } catch (error) {
    deadline.abort(error);
    throw error;
  }
}

/** JavaScript lets a scanner answer anything. Only an unmistakable `clean` may have a file stored. */
function readResult({ kind, reason }: Partial<Record<'kind' | 'reason', unknown>>): ResumeScanResult {
  if (kind === 'clean') return { kind };
  if (kind === 'refused' && typeof reason === 'string' && reason.trim() !== '') {
    return { kind, reason: [...reason.trim().slice(0, 2 * MAX_REASON)].slice(0, MAX_REASON).join('') };
  }
  throw new TypeError(
    "The résumé scanner must answer { kind: 'clean' } or { kind: 'refused', reason }, with a reason that is not blank.",
  );
}
