import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import pRetry from 'p-retry';
import type { ResumeDownload, ResumeFailure, ResumeSource } from '../../ports/resumes.js';
import { checkOptionNames, type OptionNames } from '../option-checks.js';
import {
  createSafeHttp,
  SAFE_HTTP_OPTIONS,
  type SafeEnd,
  type SafeHttp,
  type SafeHttpOptions,
} from '../safe-http/safe-http.js';
import { codeOf } from '../safe-http/transport-error.js';
import { followRedirects, isRedirect } from './follow-redirects.js';
import { resumeFileName } from './resume-name.js';
import { sniffResumeType } from './resume-type.js';

/** The options of `createResumeSource`. */
export interface ResumeSourceOptions extends SafeHttpOptions {
  /** The deadline of a download with its redirects and retries, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The maximum size of a résumé in bytes, both as transferred and after decoding. Default: 10 MiB. */
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
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

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
  if (answer.status !== 200) return refuseStatus(answer.status);
  const cut = cutShort(answer);
  if (cut !== null) return failedTry(cut);
  return { download: await readResume(followed.url, answer.headers, answer.body, maxBytes), isHiccup: false };
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

function cutShort({ bodyEnd }: Extract<SafeEnd, { kind: 'answered' }>): ResumeFailure | null {
  switch (bodyEnd) {
    case 'complete':
      return null;
    case 'limit':
      return 'too_large';
    case 'broken':
      return 'protocol_error';
    case 'time':
      return 'timed_out';
  }
}

async function readResume(
  url: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  maxBytes: number,
): Promise<ResumeDownload> {
  const decoded = await decodeBody(body, String(headers['content-encoding'] ?? ''), maxBytes);
  if (decoded.kind === 'refused') return failed(decoded.reason);
  const { bytes } = decoded;
  if (bytes.length === 0) return failed('empty');
  const type = sniffResumeType(bytes);
  if (type === null) return failed('unsupported_content');
  const fileName = resumeFileName(url, headers['content-disposition'] ?? null, type.extension);
  return { kind: 'fetched', bytes, mediaType: type.mediaType, fileName };
}

function failed(reason: ResumeFailure): ResumeDownload {
  return { kind: 'failed', reason, retryable: PASSING.has(reason) };
}

type DecodedBody =
  | { readonly kind: 'decoded'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly reason: 'too_large' | 'unsupported_content' };

type Decode = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

/** Decoders by content encoding. Some servers compress a response although the request did not allow it. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  'x-gzip': promisify<Buffer, ZlibOptions, Buffer>(gunzip),
  deflate: promisify<Buffer, ZlibOptions, Buffer>(inflate),
  br: promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress),
};

async function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<DecodedBody> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return { kind: 'decoded', bytes };
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (decode === undefined) return { kind: 'refused', reason: 'unsupported_content' };
  try {
    return { kind: 'decoded', bytes: await decode(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    return { kind: 'refused', reason: isTooLarge ? 'too_large' : 'unsupported_content' };
  }
}
