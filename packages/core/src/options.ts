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
   * Encrypts webhook signing secrets: 32 bytes, as bytes, hex or base64. Keep it outside the database. If it is lost, the
   * stored secrets cannot be decrypted.
   */
  readonly secretKey?: Uint8Array | string;
  /** Encrypts signing secrets instead of `secretKey`, for example with a key service. */
  readonly secretBox?: SecretBox;
  /** Receives an alert when an endpoint is paused or a delivery fails permanently. Both are always logged. */
  readonly alerts?: OperatorAlerts;
  /** Stores résumés. Default: the folder `resumes` in the working directory. */
  readonly resumeSink?: ResumeSink;
  /** Scans each résumé before it is stored. By default, only its file type is checked. */
  readonly resumeScanner?: ResumeScanner;
  /** A pino-compatible logger. By default, the library logs nothing. */
  readonly logger?: Logger;
  /** Receives metrics and traces. Default: the registered OpenTelemetry SDK, if any. */
  readonly telemetry?: Telemetry;
  /** Requests per minute, by bucket. Default: the limits of the specification. */
  readonly limits?: Partial<RateLimits>;
  /** The path that the API is served under. Default: `/api/v1/external`. */
  readonly basePath?: string;
  /** The largest request body, in bytes. Default: 256 KiB. */
  readonly maxBodyBytes?: number;
  /**
   * How long a body may take, in milliseconds. Default: 30,000. A later one gets 503, and its connection is closed. Server
   * timeouts must be longer: see docs/hardening.md.
   */
  readonly bodyTimeoutMs?: number;
  /** Concurrent requests of one key in this process. Default: 256. Others get 429. */
  readonly maxInFlightPerKey?: number;
  /** Allow decisions from `received`. Default: false. */
  readonly decideFromReceived?: boolean;
  /** Allow private networks and plain http. Default: false. For tests only: any URL could reach them. */
  readonly allowPrivateNetworks?: boolean;
  /** Simulate hiring for sandbox keys (`pek_test_`). Default: false. Set it in every process. */
  readonly sandbox?: boolean;
  /** Tunes the worker: concurrency, leases, retention. */
  readonly worker?: Partial<WorkerOptions>;
  /** Sends webhooks instead of `createSafeTransport()`. `allowPrivateNetworks` does not apply to it. */
  readonly transport?: WebhookTransport;
  /** Downloads résumés instead of `createResumeSource()`. `allowPrivateNetworks` does not apply to it. */
  readonly resumeSource?: ResumeSource;
  /** Normalizes phone numbers of candidates instead of `createPhoneNumbers()`. */
  readonly phoneNumbers?: PhoneNumbers;
  /** Time, identifiers and randomness for tests. Dates come from the storage's clock: set both alike. */
  readonly runtime?: Runtime;
}
