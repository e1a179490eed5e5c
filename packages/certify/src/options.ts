import type { SigningSecret } from '@partner-hiring/webhook-verifier';
import { CertifyError } from './certify-error.js';
import type { CheckResult } from './check-result.js';
import { CONNECT_MS, post, type Reply } from './post.js';
import { readTargetUrl } from './target-url.js';

/** What is certified, and with which secrets. */
export interface CertifyOptions {
  /** Where deliveries go: https, or http on this machine. Nothing is sent anywhere else. */
  readonly url: string | URL;
  /** The endpoint's signing secret (`whsec_...`), or all that are valid now: two during a rotation. */
  readonly secret: SigningSecret;
  /** Secrets whose overlap has ended: the receiver must refuse what they sign. */
  readonly oldSecret?: SigningSecret;
  /** What an answer may take, in milliseconds; 30 s if left out, as with the service. */
  readonly timeoutMs?: number;
  /** How long a slowly sent body takes, in milliseconds; 2 s if left out. */
  readonly slowBodyMs?: number;
  /**
   * Sends the requests; if left out, they go over Node's HTTP, as the service would send them. A handler of `Request` is
   * certified without a port.
   */
  readonly fetch?: CertifyFetch;
  /** Told of each check as it ends. */
  readonly onCheck?: (result: CheckResult) => void;
}

/** Sends one request, as the global `fetch` does. */
export type CertifyFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options with every default in its place. */
export interface Settings {
  readonly url: URL;
  readonly secrets: readonly string[];
  readonly oldSecrets: readonly string[];
  readonly timeoutMs: number;
  readonly slowBodyMs: number;
  readonly fetch: (url: string, init: RequestInit) => Promise<Reply>;
  readonly onCheck: (result: CheckResult) => void;
}

/** Spec: Delivery, response time-out. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Far longer than any buffer hides, far shorter than anybody minds. */
const DEFAULT_SLOW_BODY_MS = 2_000;
/** What a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks the options and puts the defaults in.
 *
 * @throws CertifyError `INVALID_OPTIONS`
 */
export function readOptions(options: CertifyOptions): Settings {
  const secrets = listSecrets(options.secret, 'secret');
  const oldSecrets = listSecrets(options.oldSecret ?? [], 'oldSecret');
  if (secrets.length === 0) {
    throw invalid('secret must be the signing secret of the endpoint (whsec_...), or a list of such.');
  }
  if (oldSecrets.some((secret) => secrets.includes(secret))) {
    throw invalid('A secret is valid or it is old, not both: leave it out of secret or of oldSecret.');
  }
  const timeoutMs = readDuration(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, 'timeoutMs');
  const slowBodyMs = readDuration(options.slowBodyMs ?? DEFAULT_SLOW_BODY_MS, 'slowBodyMs');
  return {
    url: readTargetUrl(options.url),
    secrets,
    oldSecrets,
    timeoutMs,
    // The other half of the time-out is the receiver's.
    slowBodyMs: Math.min(slowBodyMs, timeoutMs / 2),
    // Given up before the time-out: who takes no connection is not a receiver that is late.
    fetch: options.fetch ?? ((url, init) => post(url, init, Math.min(CONNECT_MS, timeoutMs / 2))),
    onCheck: options.onCheck ?? (() => {}),
  };
}

function listSecrets(given: SigningSecret, name: string): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (secrets.every(isSecret)) return [...new Set(secrets)];
  throw invalid(
    `${name} must be a signing secret (whsec_...) without spaces, or a list of such; none may be empty.`,
  );
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && /^\S+$/.test(value);
}

function readDuration(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0 && value <= LONGEST_TIMER_MS) return value;
  throw invalid(`${name} must be milliseconds, more than 0.`);
}

function invalid(message: string): CertifyError {
  return new CertifyError('INVALID_OPTIONS', message);
}
