import type { RateLimits } from './domain/rate-limit.js';
import type { OperatorAlerts } from './ports/operator-alerts.js';
import type { PhoneNumbers } from './ports/phone-numbers.js';
import type { ResumeScanner } from './ports/resume-scanner.js';
import type { ResumeSink, ResumeSource } from './ports/resume-sink.js';
import type { Runtime } from './ports/runtime.js';
import type { SecretBox } from './ports/secret-box.js';
import type { Storage } from './ports/storage.js';
import type { Logger, Telemetry } from './ports/telemetry.js';
import type { WebhookTransport } from './ports/webhook-transport.js';
import type { WorkerOptions } from './worker/options.js';

/** What a host says to have a partner API. Only `storage` and `secretKey` have no default. */
export interface PartnerHiringOptions<HostTx> {
  /** Where everything lives, e.g. `await createSqliteStorage({ file })`. */
  readonly storage: Storage<HostTx>;
  /**
   * Seals the webhook signing secrets at rest: 32 bytes, as bytes, hex or base64. Keep it outside the
   * database; without it the secrets in the database cannot be opened. Or bring a `secretBox`.
   */
  readonly secretKey?: Uint8Array | string;
  /** Seals them instead of `secretKey`: while you move to another key, or with one that you fetched from a key service. */
  readonly secretBox?: SecretBox;
  /** Told of paused endpoints and dead letters, which are logged in any case. */
  readonly alerts?: OperatorAlerts;
  /** Where résumés go; the folder `resumes` by default. */
  readonly resumeSink?: ResumeSink;
  /**
   * Scans each résumé after it was fetched and before it is stored. Without one, résumés are stored unscanned: the library
   * checks what kind of document a file is, not what it contains.
   */
  readonly resumeScanner?: ResumeScanner;
  /** A pino-compatible logger; silent by default. */
  readonly logger?: Logger;
  /** Where metrics and traces go; by default to the OpenTelemetry SDK that the host registered before. */
  readonly telemetry?: Telemetry;
  /** Requests per minute by bucket, where they differ from the specification's. */
  readonly limits?: Partial<RateLimits>;
  /** Under which path the API is served; `/api/v1/external` by default. */
  readonly basePath?: string;
  /** The largest request body in bytes; 256 KiB by default. */
  readonly maxBodyBytes?: number;
  /**
   * How long a request body may take to arrive, in milliseconds; 30,000 by default. A later one gets 503, and its
   * connection is closed. Your server needs timeouts of its own, above this one: see `docs/hardening.md`.
   */
  readonly bodyTimeoutMs?: number;
  /**
   * How many requests of one key may be under way at a time in this process; 256 by default. Further ones get 429 with
   * `Retry-After: 1`.
   */
  readonly maxInFlightPerKey?: number;
  /** Lets a decision fall while the application is still `received`. Off by default. */
  readonly decideFromReceived?: boolean;
  /**
   * Lets webhooks and résumé downloads reach private networks, and plain http. Only for tests and for
   * machines with nothing to protect: whoever may set a URL can then reach your network.
   */
  readonly allowPrivateNetworks?: boolean;
  /**
   * Lets sandbox keys (`pek_test_`) try everything out: each gets companies and jobs of its own, applications
   * of candidates with a magic address go their way by themselves, and every error can be met. Off by default.
   * Switch it on wherever keys are issued, the API is served, or the worker runs. `sandboxPage` shows partners
   * what there is.
   */
  readonly sandbox?: boolean;
  /** How the worker works: concurrency, leases, retention. */
  readonly worker?: Partial<WorkerOptions>;
  /** Sends webhooks, in place of `createSafeTransport`. `allowPrivateNetworks` is not passed to it. */
  readonly transport?: WebhookTransport;
  /** Downloads résumés, in place of `createResumeSource`. `allowPrivateNetworks` is not passed to it. */
  readonly resumeSource?: ResumeSource;
  /** Reads the phone numbers of candidates, in place of `createPhoneNumbers`. */
  readonly phoneNumbers?: PhoneNumbers;
  /**
   * Time, identifiers and randomness, in place of `createSystemRuntime`: for tests. What is stored and sent is dated by the
   * storage's clock, so a test that sets the time gives the storage the same clock.
   */
  readonly runtime?: Runtime;
}
