import type { CheckResult } from '@partner-hiring/core/probes';
import type { SigningSecret } from '@partner-hiring/webhook-verifier';
import { invalidOption } from './certify-error.js';
import { CONNECT_MS, post, type Reply } from './post.js';
import { readTargetUrl } from './target-url.js';

/** Options of `certify`. */
export interface CertifyOptions {
  /** The URL of the receiver: https, or http on this machine. Certify sends requests only to this URL. */
  readonly url: string | URL;
  /** The signing secret (`whsec_...`). During a rotation, both secrets: a list, or with a comma between them. */
  readonly secret: SigningSecret;
  /** Secrets that a rotation has replaced. The receiver must reject deliveries that are signed with them. */
  readonly oldSecret?: SigningSecret | undefined;
  /** How long to wait for a response, in milliseconds. The default of 30,000 is the timeout of the service. */
  readonly timeoutMs?: number | undefined;
  /** How long to take to send the slow body, in milliseconds; default 2,000. */
  readonly slowBodyMs?: number | undefined;
  /** The function that sends the requests, such as a call of your `Request` handler. Default: Node's HTTP client. */
  readonly fetch?: CertifyFetch | undefined;
  /** Called after each check. */
  readonly onCheck?: ((result: CheckResult) => void) | undefined;
}

/** A function with the signature of the global `fetch`. */
export type CertifyFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Settings {
  readonly url: URL;
  readonly secrets: readonly string[];
  readonly oldSecrets: readonly string[];
  readonly timeoutMs: number;
  readonly slowBodyMs: number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Reply>;
  readonly onCheck: (result: CheckResult) => void;
}

/** Contract: 12.3. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Long enough that the pieces of the body arrive separately, in spite of network buffers. */
const DEFAULT_SLOW_BODY_MS = 2_000;
/** The limit of `setTimeout`. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Validates the options and adds defaults. @throws CertifyError with the code `INVALID_OPTIONS` */
export function readOptions(options: CertifyOptions): Settings {
  const secrets = listSecrets(options.secret, 'secret');
  const oldSecrets = listSecrets(options.oldSecret ?? [], 'oldSecret');
  if (secrets.length === 0) {
    throw invalidOption('secret must be the signing secret of the endpoint (whsec_...), or a list of them.');
  }
  if (oldSecrets.some((secret) => secrets.includes(secret))) {
    throw invalidOption('The same secret is in secret and in oldSecret. Remove it from one of them.');
  }
  const timeoutMs = readDuration(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'timeoutMs');
  const slowBodyMs = readDuration(options.slowBodyMs ?? DEFAULT_SLOW_BODY_MS, 'slowBodyMs');
  return {
    url: readTargetUrl(options.url),
    secrets,
    oldSecrets,
    timeoutMs,
    // The receiver has at least half of the timeout left to respond to the slow body.
    slowBodyMs: Math.min(slowBodyMs, timeoutMs / 2),
    // Connecting must fail before the response times out, to distinguish an unreachable receiver from a slow one.
    fetch: options.fetch ?? ((url, init) => post(url, init, Math.min(CONNECT_MS, timeoutMs / 2))),
    onCheck: options.onCheck ?? (() => {}),
  };
}

function listSecrets(given: SigningSecret, name: string): readonly string[] {
  const listed: readonly unknown[] = Array.isArray(given) ? given : [given];
  const secrets = listed.flatMap((one) =>
    typeof one === 'string' && one.includes(',') ? one.split(',').map((part) => part.trim()) : [one],
  );
  if (secrets.every(isSecret)) return [...new Set(secrets)];
  throw invalidOption(
    `${name} must be a signing secret (whsec_...) or a list of them, also with commas. Secrets must not be empty, and must not have spaces, line breaks or quotes.`,
  );
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s"'`“”‘’]+$/.test(value);
}

function readDuration(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0 && value <= LONGEST_TIMER_MS) return value;
  throw invalidOption(`${name} must be a number of milliseconds greater than 0.`);
}
