import pRetry from 'p-retry';
import { checkOptionNames, type OptionNames } from '../../../defaults/option-checks.js';
import {
  createSafeHttp,
  SAFE_HTTP_OPTIONS,
  type SafeEnd,
  type SafeHttp,
  type SafeHttpOptions,
} from '../../../defaults/safe-http/safe-http.js';
import type { ResumeDownload, ResumeFailure, ResumeSource } from '../../../ports/resumes.js';
import { findResume } from './base64-content.js';
import { suggestedFileName } from './content-disposition.js';
import { decodeBody } from './decode-body.js';
import { followRedirects, isRedirect } from './follow-redirects.js';
import { isErrorMessage } from './promised-type.js';
import { resumeFileName } from './resume-name.js';
import { RESUME_TYPES } from './resume-type.js';

/** The options of `createResumeSource`. */
export interface ResumeSourceOptions extends SafeHttpOptions {
  /** The deadline of a download with its redirects and retries, in milliseconds; default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum size of a résumé in bytes, both as transferred and after decoding; default: 10 MiB. */
  readonly maxBytes?: number | undefined;
}

const OPTIONS: OptionNames<ResumeSourceOptions> = {
  ...SAFE_HTTP_OPTIONS,
  timeoutMs: true,
  maxBytes: true,
};

export const RESUME_USER_AGENT = 'partner-hiring';

export const RESUME_TIMEOUT_MS = 30_000;
export const RESUME_MAX_BYTES = 10 * 1024 * 1024;

/** These retries cover only short failures. The worker's later attempts cover longer outages. */
const QUICK_RETRIES = { retries: 2, minTimeout: 250, factor: 2 } as const;
const HICCUPS: ReadonlySet<ResumeFailure> = new Set([
  'name_not_resolved',
  'connection_failed',
  'protocol_error',
]);
const HICCUP_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

const PASSING: ReadonlySet<ResumeFailure> = new Set([...HICCUPS, 'tls_failed', 'proxy_refused', 'timed_out']);
/** Besides overload: an upload or a virus scan is under way, or the clock of a signed link runs ahead. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([202, 401, 403, 404, 408, 409, 423, 425, 429]);
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 203, 206]);

/**
 * Returns a source that downloads résumés: only `https`, only public addresses, one deadline, and a size limit
 * that also applies after decoding. It follows at most five redirects, and checks each target like the first
 * URL. The content decides the type: PDF, Word, OpenDocument, RTF or plain text. Not a malware scan: pass a
 * `ResumeScanner` for that.
 * @throws OperatorError `MISCONFIGURED` if an option does not exist or is invalid.
 * @example
 * const resumeSource = createResumeSource({ maxBytes: 5 * 1024 * 1024 });
 */
export function createResumeSource(options: ResumeSourceOptions = {}): ResumeSource {
  checkOptionNames('createResumeSource', options, OPTIONS);
  const { timeoutMs = RESUME_TIMEOUT_MS, maxBytes = RESUME_MAX_BYTES, ...httpOptions } = options;
  const http = createSafeHttp(httpOptions);
  return {
    fetch: (url) => retryHiccups(timeoutMs, (endsAt) => download(http, url, maxBytes, endsAt)),
    close: (giveUp) => http.close(giveUp),
  };
}

interface Try {
  readonly download: ResumeDownload;
  readonly isHiccup: boolean;
}

class Hiccup extends Error {
  override readonly name = 'Hiccup';
  constructor(readonly download: ResumeDownload) {
    super('A download failed and is retried.');
  }
}

async function retryHiccups(
  timeoutMs: number,
  attempt: (endsAt: number) => Promise<Try>,
): Promise<ResumeDownload> {
  const endsAt = performance.now() + timeoutMs;
  try {
    return await pRetry(
      async () => {
        const { download, isHiccup } = await attempt(endsAt);
        if (isHiccup) throw new Hiccup(download);
        return download;
      },
      { ...QUICK_RETRIES, maxRetryTime: timeoutMs },
    );
  } catch (error) {
    if (error instanceof Hiccup) return error.download;
    throw error;
  }
}

async function download(http: SafeHttp, url: string, maxBytes: number, endsAt: number): Promise<Try> {
  const followed = await followRedirects(url, (target) => get(http, target, maxBytes, endsAt));
  if (followed.kind === 'failed') return failedTry(followed.reason);
  const { answer } = followed;
  if (!GOOD_STATUSES.has(answer.status)) return refuseStatus(answer.status);
  const cut = CUT_SHORT[answer.bodyEnd];
  if (cut !== null) return failedTry(cut);
  if (answer.status === 206 && !isWhole(answer)) return refuseStatus(206);
  return { download: await readResume(url, followed.url, answer, maxBytes), isHiccup: false };
}

async function get(http: SafeHttp, url: string, maxBytes: number, endsAt: number): Promise<SafeEnd> {
  const timeoutMs = endsAt - performance.now();
  if (timeoutMs <= 0)
    return { kind: 'failed', failure: 'timed_out', message: 'No response arrived in time.' };
  return http.send({
    method: 'GET',
    url,
    headers: { accept: '*/*', 'user-agent': RESUME_USER_AGENT },
    body: null,
    answer: { maxBytes, maxMs: null, isHeadEnough: isRedirect },
    timeoutMs,
  });
}

function failedTry(reason: ResumeFailure): Try {
  return { download: failed(reason), isHiccup: HICCUPS.has(reason) };
}

function refuseStatus(status: number): Try {
  const retryable = status >= 500 || PASSING_STATUSES.has(status);
  return {
    download: { kind: 'failed', reason: 'bad_status', retryable },
    isHiccup: HICCUP_STATUSES.has(status),
  };
}

type Answer = Extract<SafeEnd, { kind: 'answered' }>;

/** Returns whether the range of a 206 covers the whole file. */
function isWhole({ headers, body }: Answer): boolean {
  const range = /^\s*bytes[\s=]+0-(\d+)\/(\d+)\s*$/i.exec(String(headers['content-range']));
  return range !== null && Number(range[1]) + 1 === body.length && Number(range[2]) === body.length;
}

const CUT_SHORT: Readonly<Record<Answer['bodyEnd'], ResumeFailure | null>> = {
  complete: null,
  limit: 'too_large',
  broken: 'protocol_error',
  time: 'timed_out',
};

/** The content decides what a file is, not its headers. */
async function readResume(
  firstUrl: string,
  url: string,
  { headers, body }: Answer,
  maxBytes: number,
): Promise<ResumeDownload> {
  const bytes = await decodeBody(body, String(headers['content-encoding'] ?? ''), maxBytes);
  if (bytes === null) return failed('too_large');
  if (bytes.length === 0) return failed('empty');
  const found = findResume(bytes);
  if (found === null) return failed('unsupported_content');
  const disposition = firstOf(headers['content-disposition']);
  const type = firstOf(headers['content-type']);
  const name = suggestedFileName(disposition);
  if (found.type === RESUME_TYPES.txt && isErrorMessage(found.bytes, type, name, [firstUrl, url]))
    return { ...failed('unsupported_content'), detail: 'a short text instead of the promised file' };
  const fileName = resumeFileName(url, disposition, found.type.extension);
  return { kind: 'fetched', bytes: found.bytes, mediaType: found.type.mediaType, fileName };
}

/** undici lists the values of a repeated header, although its type says otherwise. */
function firstOf(header: string | readonly string[] | undefined): string {
  return [header].flat()[0] ?? '';
}

function failed(reason: ResumeFailure): Extract<ResumeDownload, { kind: 'failed' }> {
  return { kind: 'failed', reason, retryable: PASSING.has(reason) };
}
