import { type ClientClock, systemClock } from './clock.js';
import type { Fetch } from './execute/attempt.js';
import type { AttemptReport } from './execute/attempt-report.js';
import { createMemorySubmissionStore, type SubmissionStore } from './submission-store.js';

/** What a client is built from. */
export interface ClientOptions {
  /** Where the API is, version segment included: `https://hiring.example.com/api/v1/external`. */
  readonly baseUrl: string;
  /** `pek_live_…`, or `pek_test_…` for the sandbox. Spec: Authentication. */
  readonly apiKey: string;
  /**
   * Where submissions are kept until they are settled. In memory unless given, which **does not survive a
   * restart**: in production give `createFileSubmissionStore`, or one over your own database.
   */
  readonly submissions?: SubmissionStore;
  /**
   * Tells this key's records from those of other keys in the same store; base address and kind of key unless
   * given. It must stay the same when the secret is rotated.
   */
  readonly scope?: string;
  /** For one attempt, headers and body; 30,000 unless given. */
  readonly timeoutMs?: number;
  /** For one call with all its attempts and waits for limits; 300,000 unless given. */
  readonly totalTimeoutMs?: number;
  /**
   * The longest `Retry-After` that is waited for; 300,000 unless given. The service itself never asks for more than
   * 60 seconds. A call that is told to wait longer gives up at once with a `PartnerApiError`, whose
   * `retryAfterSeconds` says when to try again. After such a 429 the next request leaves after this time.
   */
  readonly maxRetryAfterMs?: number;
  /** Attempts that got no clear answer, at most; 6 unless given. Waits for limits do not count. */
  readonly maxAttempts?: number;
  /** Requests under way at once; 8 unless given. */
  readonly maxConcurrency?: number;
  /** Lets `http` addresses other than this machine's pass. The key then travels in the clear. */
  readonly allowInsecureHttp?: boolean;
  /** Told of every attempt, for logs and metrics. One that throws, or rejects, loses its report and nothing else. */
  readonly onAttempt?: (report: AttemptReport) => void;
  /** In place of the global `fetch`. */
  readonly fetch?: Fetch;
  /** In place of the machine's time. */
  readonly clock?: ClientClock;
  /** In place of `Math.random`, for the spread of pauses. */
  readonly random?: () => number;
}

/** The options with all their defaults. */
export type Settings = Required<Omit<ClientOptions, 'allowInsecureHttp'>>;

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Checks the options and fills in what is missing. @throws TypeError */
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
    onAttempt: calm(options.onAttempt ?? (() => {})),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** What measures must not end what is measured: a submission that was sent is settled, whoever fails to write it down. */
function calm(onAttempt: (report: AttemptReport) => void): (report: AttemptReport) => void {
  // Asynchronous, for what the host gives may be so too: nobody else would handle its rejection.
  const tell = async (report: AttemptReport): Promise<void> => onAttempt(report);
  return (report) => void tell(report).catch(() => {});
}

function readBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('baseUrl is no URL. Give one such as https://hiring.example.com/api/v1/external.');
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError('baseUrl must have neither credentials nor a query nor a fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !THIS_MACHINE.has(url.hostname)) {
    throw new TypeError(
      'baseUrl is plain http, which shows the key to the network. Use https, or allowInsecureHttp.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** `'false'`, as the environment has it, must not pass for true. */
function readSwitch(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new TypeError(`${name} must be true or false.`);
}

function readApiKey(text: string): string {
  if (typeof text === 'string' && /^pek_(?:live|test)_[\w-]+$/.test(text)) return text;
  throw new TypeError(
    'apiKey must be the whole key, pek_live_… or pek_test_…, without spaces or a line break.',
  );
}

function readScope(text: string): string {
  if (text !== '' && !text.includes('\n')) return text;
  throw new TypeError('scope must not be empty and must have no line break.');
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError(`${name} must be a finite number greater than 0.`);
}
