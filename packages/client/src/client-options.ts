import type { Fetch } from './attempt.js';
import { positive, readTimeout } from './call-options.js';
import { type ClientClock, systemClock } from './clock.js';
import type { AttemptReport, Hooks, RequestReport, WaitReport } from './hooks.js';
import { refuse } from './json.js';
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
  /** The timeout of one call with all attempts and waits, in milliseconds, at most a week; default 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** The longest `Retry-After` to wait for, in ms; default 300,000. A longer one fails the call at once. */
  readonly maxRetryAfterMs?: number | undefined;
  /** The most attempts of a call that may end without a clear response; default 6. A 429 does not count. */
  readonly maxAttempts?: number | undefined;
  /** Default 8. */
  readonly maxConcurrency?: number | undefined;
  /** Permits http to other machines, which sends the key unencrypted. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Called before each attempt, for logs and metrics. The client ignores errors that a hook throws. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((report: AttemptReport) => void) | undefined;
  /** Called when a rate limit or a failure delays an attempt. */
  readonly onWait?: ((report: WaitReport) => void) | undefined;
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

const THIS_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** @throws TypeError */
export function readOptions(options: ClientOptions = {} as ClientOptions): Settings {
  const baseUrl = readBaseUrl(options.baseUrl, readSwitch('allowInsecureHttp', options.allowInsecureHttp));
  const apiKey = readApiKey(options.apiKey);
  const settings: Settings = {
    baseUrl,
    apiKey,
    submissions: readStore(options.submissions ?? createMemorySubmissionStore()),
    scope: readScope(options.scope ?? `${baseUrl} ${apiKey.slice(0, 'pek_live'.length)}`),
    timeoutMs: readTimeout('timeoutMs', options.timeoutMs ?? 30_000),
    totalTimeoutMs: readTimeout('totalTimeoutMs', options.totalTimeoutMs ?? 300_000),
    maxRetryAfterMs: positive('maxRetryAfterMs', options.maxRetryAfterMs ?? 300_000),
    maxAttempts: positive('maxAttempts', options.maxAttempts ?? 6),
    maxConcurrency: positive('maxConcurrency', options.maxConcurrency ?? 8),
    onRequest: readHook('onRequest', options.onRequest),
    onAttempt: readHook('onAttempt', options.onAttempt),
    onWait: readHook('onWait', options.onWait),
    fetch: callable('fetch', options.fetch ?? ((url, init) => globalThis.fetch(url, init))),
    clock: options.clock ?? systemClock,
    random: callable('random', options.random ?? Math.random),
  };
  callable('clock.now', settings.clock.now);
  const known = [...Object.keys(settings), 'allowInsecureHttp'];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`There is no option ${unknown}. Options: ${known.join(', ')}.`);
  return settings;
}

/** A failing logger must not stop a submission that was sent. */
function readHook<Report>(name: keyof Hooks, given: ((report: Report) => void) | undefined) {
  const hook = callable(name, given ?? (() => {}));
  // Async, to catch rejections too.
  const call = async (report: Report): Promise<void> => hook(report);
  return (report: Report): void => void call(report).catch(() => {});
}

function callable<Value>(name: string, value: Value): Value {
  if (typeof value === 'function') return value;
  refuse(`${name} must be a function.`);
}

function readStore(store: SubmissionStore): SubmissionStore {
  if (typeof store.add === 'function') return store;
  refuse('submissions must be a store, such as await createFileSubmissionStore(…).');
}

function readBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    refuse('baseUrl must be an http(s) URL such as https://hiring.example.com/api/v1/external.');
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    refuse('baseUrl must not have credentials, a query or a fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !THIS_MACHINE.test(url.hostname)) {
    refuse(
      'baseUrl is plain http, which exposes the key to the network. Use https, or set allowInsecureHttp.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Rejects text, because the text `'false'` from an environment variable would count as true. */
function readSwitch(name: string, value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  refuse(`${name} must be true or false.`);
}

function readApiKey(text: string): string {
  if (typeof text === 'string' && /^pek_(?:live|test)_[\w-]+$/.test(text)) return text;
  refuse('apiKey must be the complete key, pek_live_... or pek_test_..., without spaces.');
}

function readScope(text: string): string {
  if (text !== '' && !text.includes('\n')) return text;
  refuse('scope must not be empty and must not contain a line break.');
}
