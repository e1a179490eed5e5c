import type { ProxyOptions } from './defaults/safe-http/proxy.js';
import type { SealingKey } from './defaults/sealed-secrets.js';
import type { Optional } from './domain/optional.js';
import type { RateLimits } from './domain/rate-limit.js';
import type { Support } from './domain/support.js';
import type { InboxOptions } from './features/inbox/options.js';
import type { JobsOption } from './features/jobs-sync/job-sync-runner.js';
import type { GoLiveOptions } from './features/readiness/rules.js';
import type { EndpointRights } from './features/self-service/rules.js';
import type { OperatorAlerts, PhoneNumbers, SecretBox, WebhookTransport } from './ports/host-services.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from './ports/resumes.js';
import type { Runtime } from './ports/runtime.js';
import type { Storage } from './ports/storage.js';
import type { Logger, Telemetry } from './ports/telemetry.js';
import type { WorkerOptions } from './worker/options.js';

/** How long the library keeps data. Set it in every process that runs a worker. */
export interface RetentionOptions {
  /**
   * How long after its last change the worker erases an application's candidate, in milliseconds: at least one day;
   * default: never. It works like `operator.candidates.eraseMany`, also on applications without a decision, and keeps
   * `sourceApplicationId`.
   */
  readonly applicationsMs: number;
  /** How long audit entries are kept, in milliseconds: at least one day, or null to keep them; default: 400 days. */
  readonly auditMs: number | null;
  /** How long the request log is kept, in milliseconds: at least one hour; default: seven days. */
  readonly requestsMs: number;
}

/** The rights of partners beyond the four routes. Everything is off by default. */
export interface SelfServiceOptions extends EndpointRights {
  /**
   * Records the events of every key, also without a webhook endpoint, and serves them with `GET /events`; default:
   * false. Set it in every process.
   */
  readonly events: boolean;
}

/** The options of `createPartnerHiring`. Only `storage`, and a sealing key or `secretBox`, are required. */
export interface PartnerHiringOptions<
  HostTx,
  StorageTx = unknown,
  Tx = HostTx,
  Inbox = InboxOptions<HostTx, StorageTx, Tx>,
> {
  /** The database, for example `await createSqliteStorage({ file })`. */
  readonly storage: Storage<HostTx, StorageTx>;
  /**
   * The name of the deployment that this process belongs to, such as `production`: 1 to 32 characters; default: none. A
   * database without endpoints takes the name over. In a copy of a named database, a process with another name sends
   * nothing outside: see docs/copies.md. Set it in every process.
   */
  readonly deployment?: string | undefined;
  /**
   * Encrypts webhook signing secrets: 32 bytes, as bytes, hex or base64; required without `sealingKeys` and
   * `secretBox`. Keep the key outside the database. If it is lost, the stored secrets cannot be decrypted.
   */
  readonly secretKey?: SealingKey | undefined;
  /**
   * The key that encrypts, and older ones that still decrypt; default: `secretKey` alone. Pass only one of both. See
   * docs/secrets.md.
   */
  readonly sealingKeys?: readonly SealingKey[] | undefined;
  /** Encrypts signing secrets, for example with a key management service; default: with the keys above. */
  readonly secretBox?: SecretBox | undefined;
  /**
   * Receives alerts, such as of a paused endpoint or a dead letter, with a message for the partner's contact if it has
   * one; by default, they are only logged. The log leaves out the message.
   */
  readonly alerts?: OperatorAlerts | undefined;
  /**
   * The public address of the partner portal, such as `https://hiring.example.com/portal`; without it, messages to
   * partners have no link. They link to it, and so does `operator.portal.createLink`. Set it in every process.
   */
  readonly portalUrl?: string | undefined;
  /** How partners reach you; without it, messages to partners ask for a reply. Pass it to `createPartnerDocs` too. */
  readonly support?: Support | undefined;
  /**
   * Hands each new application to the host's own code, in one transaction with the host's writes; by default, nothing
   * is handed over. An instance with this option turns the inbox on for all processes as soon as it accepts a
   * submission or its worker starts.
   */
  readonly inbox?: Inbox | undefined;
  /**
   * Erases applications after a time, and sets how long audit entries and the request log are kept; by default,
   * applications are kept.
   */
  readonly retention?: Optional<RetentionOptions> | undefined;
  /**
   * The platform's own jobs, which one worker at a time reads, like `operator.jobs.syncs.run`; by default, nothing is
   * read. Set it in every process that runs a worker.
   */
  readonly jobs?: JobsOption | undefined;
  /** Stores résumés; default: the folder `resumes` in the working directory. */
  readonly resumeSink?: ResumeSink | undefined;
  /** Scans each résumé before it is stored; by default, only its file type is checked. */
  readonly resumeScanner?: ResumeScanner | undefined;
  /**
   * Whether to record and count requests of partners, for `operator.requests` and the overviews; default: true. The log
   * contains no personal data. The evidence for go-live is kept anyway.
   */
  readonly requestLog?: boolean | undefined;
  /** A pino-compatible logger; by default, the library logs nothing. */
  readonly logger?: Logger | undefined;
  /** Receives metrics and traces; default: the registered OpenTelemetry SDK, if any. */
  readonly telemetry?: Telemetry | undefined;
  /** Requests per minute, by bucket: whole numbers above 0; default: `RATE_LIMITS`, also for each bucket left out. */
  readonly limits?: Optional<RateLimits> | undefined;
  /** The path that the API is served under; default: `/api/v1/external`. */
  readonly basePath?: string | undefined;
  /** The largest request body, in bytes; default: 256 KiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How long a request body may take to arrive, in milliseconds; default: 30,000. A slower request gets 503, and its
   * connection is closed. Server timeouts must be longer: see docs/hardening.md.
   */
  readonly bodyTimeoutMs?: number | undefined;
  /** The most requests of one key that this process handles at once; default: 256. Further requests get 429. */
  readonly maxInFlightPerKey?: number | undefined;
  /**
   * Allows a decision on an application that is still `received`; default: false, so that its evaluation must begin
   * first.
   */
  readonly decideFromReceived?: boolean | undefined;
  /**
   * Allows URLs with plain http or in private networks; default: false. For tests only, because partners choose these
   * URLs.
   */
  readonly allowPrivateNetworks?: boolean | undefined;
  /**
   * The prefixes of your network's NAT64, besides `64:ff9b::/96`; default: none. Webhooks and résumé downloads treat a
   * resolved address under a prefix as the IPv4 address inside.
   */
  readonly nat64Prefixes?: readonly string[] | undefined;
  /** Sends webhooks and résumé downloads through an HTTP proxy, for networks without another way out. */
  readonly proxy?: ProxyOptions | undefined;
  /** Simulates hiring for sandbox keys (`pek_test_`); default: false. Set it in every process. */
  readonly sandbox?: boolean | undefined;
  /** What partners may do besides the four routes; by default, nothing. Set it in every process. */
  readonly selfService?: Optional<SelfServiceOptions> | undefined;
  /** What partners must prove before they go live; by default, nothing. Set it in every process. */
  readonly goLive?: Optional<GoLiveOptions> | undefined;
  /** Settings of the worker, whole numbers above 0, each with its own default. */
  readonly worker?: Optional<WorkerOptions> | undefined;
  /**
   * Sends webhooks; default: `createSafeTransport()`. The options `allowPrivateNetworks`, `nat64Prefixes` and `proxy`
   * do not apply to a replacement.
   */
  readonly transport?: WebhookTransport | undefined;
  /**
   * Downloads résumés; default: `createResumeSource()`. The options `allowPrivateNetworks`, `nat64Prefixes` and `proxy`
   * do not apply to a replacement.
   */
  readonly resumeSource?: ResumeSource | undefined;
  /** Normalizes the phone numbers of candidates; default: `createPhoneNumbers()`. */
  readonly phoneNumbers?: PhoneNumbers | undefined;
  /**
   * The clock, identifiers and randomness, to replace in tests; default: those of the system. Dates come from the
   * storage's clock, so set both clocks alike.
   */
  readonly runtime?: Runtime | undefined;
}
