import type { RateLimits } from './domain/rate-limit.js';
import type { OperatorAlerts } from './ports/operator-alerts.js';
import type { PhoneNumbers } from './ports/phone-numbers.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from './ports/resumes.js';
import type { Runtime } from './ports/runtime.js';
import type { SecretBox } from './ports/secret-box.js';
import type { Storage } from './ports/storage.js';
import type { Logger, Telemetry } from './ports/telemetry.js';
import type { WebhookTransport } from './ports/webhook-transport.js';
import type { WorkerOptions } from './worker/options.js';

/** The options of `createPartnerHiring`. Only `storage`, and `secretKey` or `secretBox`, are required. */
export interface PartnerHiringOptions<HostTx> {
  /** The database, for example `await createSqliteStorage({ file })`. */
  readonly storage: Storage<HostTx>;
  /**
   * Encrypts webhook signing secrets in the database: 32 bytes, as bytes, hex or base64. Keep it outside the database.
   * Without it, the stored secrets cannot be decrypted.
   */
  readonly secretKey?: Uint8Array | string;
  /** Encrypts signing secrets instead of `secretKey`, for example while you change keys or if you use a key service. */
  readonly secretBox?: SecretBox;
  /** Receives an alert when an endpoint is paused or a delivery fails permanently. The library logs both in any case. */
  readonly alerts?: OperatorAlerts;
  /** Stores résumés. By default, the folder `resumes` in the working directory. */
  readonly resumeSink?: ResumeSink;
  /**
   * Scans each résumé before it is stored. By default, résumés are not scanned: the library checks the type of a
   * document, not what it contains.
   */
  readonly resumeScanner?: ResumeScanner;
  /** A pino-compatible logger. By default, the library logs nothing. */
  readonly logger?: Logger;
  /** Receives metrics and traces. By default, the OpenTelemetry SDK that the process registered, if any. */
  readonly telemetry?: Telemetry;
  /** Requests per minute, by bucket. By default, the limits of the specification. */
  readonly limits?: Partial<RateLimits>;
  /** The path that the API is served under. Default: `/api/v1/external`. */
  readonly basePath?: string;
  /** The largest request body, in bytes. Default: 256 KiB. */
  readonly maxBodyBytes?: number;
  /**
   * How long a request body may take to arrive, in milliseconds. Default: 30,000. A slower request gets 503 and its
   * connection is closed. Set the timeouts of your server above this one: see `docs/hardening.md`.
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How many requests of one key this process handles at the same time. Default: 256. Further requests get 429 with
   * `Retry-After: 1`.
   */
  readonly maxInFlightPerKey?: number;
  /** Whether an application may be accepted or rejected while it is still `received`. Default: false. */
  readonly decideFromReceived?: boolean;
  /**
   * Whether webhooks and résumé downloads may reach private networks and use plain http. Default: false. Only for
   * tests: anyone who can set a URL could then reach your network.
   */
  readonly allowPrivateNetworks?: boolean;
  /**
   * Whether sandbox keys (`pek_test_`) get a simulated hiring process: sample companies and jobs, candidates that
   * advance on their own, and a way to trigger every error. Default: false. Set it in every process that issues keys,
   * serves the API or runs the worker. `sandboxPage()` documents it for partners.
   */
  readonly sandbox?: boolean;
  /** Tunes the worker: concurrency, leases, retention. */
  readonly worker?: Partial<WorkerOptions>;
  /** Sends webhooks instead of `createSafeTransport()`. `allowPrivateNetworks` does not apply to it. */
  readonly transport?: WebhookTransport;
  /** Downloads résumés instead of `createResumeSource()`. `allowPrivateNetworks` does not apply to it. */
  readonly resumeSource?: ResumeSource;
  /** Normalizes phone numbers of candidates instead of `createPhoneNumbers()`. */
  readonly phoneNumbers?: PhoneNumbers;
  /**
   * Time, identifiers and randomness for tests, instead of `createSystemRuntime()`. Stored and sent dates come from the
   * storage's clock, so a test that sets the time must give the storage the same clock.
   */
  readonly runtime?: Runtime;
}
