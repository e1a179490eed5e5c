import type { AttemptReport, Fetch } from './attempt.js';
import { type ClientClock, systemClock } from './clock.js';
import { createMemorySubmissionStore, type SubmissionStore } from './submission-store.js';

/** Options of `createPartnerClient`. */
export interface ClientOptions {
  /** With the version: `https://hiring.example.com/api/v1/external`. */
  readonly baseUrl: string;
  /**
   * `pek_live_…`, or `pek_test_…` for the sandbox.
   * Contract: 4, https://github.com/partner-hiring/partner-hiring/blob/main/docs/contract.md
   */
  readonly apiKey: string;
  /** Default: in memory, **lost at a restart**. In production: `createFileSubmissionStore` or a database. */
  readonly submissions?: SubmissionStore | undefined;
  /** Separates the records of several keys in one store. Default: `baseUrl` and the kind of key. */
  readonly scope?: string | undefined;
  /** The timeout of one attempt, in milliseconds; default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The timeout of one call with all attempts and waits, in milliseconds; default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** The longest `Retry-After` to wait for, in ms; default 300,000. A longer one fails the call at once. */
  readonly maxRetryAfterMs?: number | undefined;
  /** The most attempts of a call that may end without a clear response; default 6. A 429 does not count. */
  readonly maxAttempts?: number | undefined;
  /** Default 8. */
  readonly maxConcurrency?: number | undefined;
  /** Permits http to other machines, which sends the key unencrypted. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Called after each attempt, for logs and metrics. The client ignores errors that it throws. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Default: the system clock. */
  readonly clock?: ClientClock | undefined;
  /** Returns the random numbers for the jitter of retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The options with their defaults. */
export type Settings = {
  readonly [Name in Exclude<keyof ClientOptions, 'allowInsecureHttp'>]: NonNullable<ClientOptions[Name]>;
};

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @throws TypeError */
export function readOptions(options: ClientOptions): Settings {
  const baseUrl = readBaseUrl(options.baseUrl, readSwitch('allowInsecureHttp', options.allowInsecureHttp));
  const apiKey = readApiKey(options.apiKey);
  return {
    baseUrl,
    apiKey,
    submissions: options.submissions ?? createMemorySubmissionStore(),
    scope: readScope(options.scope ?? `${baseUrl} ${apiKey.slice(0, 'pek_live'.length)}`),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 30_000),
    totalTimeoutMs: positive('totalTimeoutMs', options.totalTimeoutMs ?? 300_000),
    maxRetryAfterMs: positive('maxRetryAfterMs', options.maxRetryAfterMs ?? 300_000),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? 6),
    maxConcurrency: positive('maxConcurrency', options.maxConcurrency ?? 8),
    onAttempt: ignoringErrors(options.onAttempt ?? (() => {})),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** A failing logger must not stop a submission that was sent. */
function ignoringErrors(onAttempt: (report: AttemptReport) => void): (report: AttemptReport) => void {
  // Async, to catch rejections too.
  const call = async (report: AttemptReport): Promise<void> => onAttempt(report);
  return (report) => void call(report).catch(() => {});
}

function readBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl must be an http(s) URL such as https://hiring.example.com/api/v1/external.');
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl must not have credentials, a query or a fragment: remove them.');
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !THIS_MACHINE.has(url.hostname)) {
    throw new TypeError(
      'baseUrl is plain http, which exposes the key to the network. Use https, or set allowInsecureHttp.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Rejects text, because the text `'false'` from an environment variable would count as true. */
function readSwitch(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new TypeError(`${name} must be true or false.`);
}

function readApiKey(text: string): string {
  if (typeof text === 'string' && /^pek_(?:live|test)_[\w-]+$/.test(text)) return text;
  throw new TypeError(
    'apiKey must be the complete key, pek_live_… or pek_test_…, without spaces or line breaks.',
  );
}

function readScope(text: string): string {
  if (text !== '' && !text.includes('\n')) return text;
  throw new TypeError('scope must not be empty and must not contain a line break.');
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`${name} must be a finite number greater than 0.`);
}
