import { checkOptionNames, checkSwitches, type OptionNames } from './defaults/option-checks.js';
import { checkPortalUrl, readSupport } from './defaults/support.js';
import type { Support } from './domain/support.js';
import { DAY_MS, HOUR_MS } from './domain/time.js';
import { misconfiguration } from './errors.js';
import type { InboxInHost, InboxOptions } from './features/inbox/options.js';
import type { JobsOption } from './features/jobs-sync/job-sync-runner.js';
import { MISSING_JOBS } from './features/jobs-sync/rules.js';
import { checkGoLive } from './features/readiness/check-options.js';
import { ENDPOINT_RIGHTS } from './features/self-service/rules.js';
import type { PartnerHiringOptions, RetentionOptions, SelfServiceOptions } from './options.js';
import type { OperatorAlerts, PhoneNumbers, SecretBox, WebhookTransport } from './ports/host-services.js';
import type { ResumeScanner, ResumeSink, ResumeSource } from './ports/resumes.js';
import type { Runtime } from './ports/runtime.js';
import type { Logger, Telemetry } from './ports/telemetry.js';
import type { WorkerOptions } from './worker/options.js';

const OPTIONS: OptionNames<PartnerHiringOptions<never>> = {
  storage: true,
  deployment: true,
  secretKey: true,
  sealingKeys: true,
  secretBox: true,
  alerts: true,
  portalUrl: true,
  support: true,
  inbox: true,
  jobs: true,
  retention: true,
  requestLog: true,
  resumeSink: true,
  logger: true,
  telemetry: true,
  limits: true,
  basePath: true,
  maxBodyBytes: true,
  bodyTimeoutMs: true,
  maxInFlightPerKey: true,
  decideFromReceived: true,
  allowPrivateNetworks: true,
  nat64Prefixes: true,
  proxy: true,
  sandbox: true,
  selfService: true,
  goLive: true,
  worker: true,
  transport: true,
  resumeSource: true,
  resumeScanner: true,
  phoneNumbers: true,
  runtime: true,
};

interface Brought {
  readonly secretBox: SecretBox;
  readonly alerts: OperatorAlerts;
  readonly inbox: InboxOptions<never, never>;
  readonly resumeSink: ResumeSink;
  readonly resumeSource: ResumeSource;
  readonly resumeScanner: ResumeScanner;
  readonly logger: Logger;
  readonly telemetry: Telemetry;
  readonly transport: WebhookTransport;
  readonly phoneNumbers: PhoneNumbers;
}

/** Checks the methods at startup. Without this check, a missing method would fail only at its first call. */
const METHODS = {
  secretBox: ['seal', 'open'],
  alerts: ['alert'],
  inbox: ['receive'],
  resumeSink: ['store'],
  resumeSource: ['fetch', 'close'],
  resumeScanner: ['scan'],
  logger: ['debug', 'info', 'warn', 'error'],
  telemetry: ['counter', 'histogram', 'observe', 'startSpan', 'seconds'],
  transport: ['post', 'close'],
  phoneNumbers: ['normalize'],
} as const satisfies Methods<Brought>;

const RUNTIME = {
  clock: ['now', 'sleep'],
  ids: ['next'],
  random: ['bytes', 'fraction', 'token'],
} as const satisfies Methods<Runtime>;

type Methods<Ports> = { readonly [Name in keyof Ports]: readonly (keyof Ports[Name])[] };

type Given = {
  readonly [Name in
    | keyof Brought
    | 'storage'
    | 'jobs'
    | 'retention'
    | 'runtime'
    | 'sandbox'
    | 'selfService'
    | 'goLive'
    | 'portalUrl'
    | 'allowPrivateNetworks'
    | 'decideFromReceived'
    | 'requestLog']?: unknown;
} & {
  readonly limits?: object | undefined;
  readonly worker?: object | undefined;
  readonly support?: Support | undefined;
};

interface Known {
  readonly limits: object;
  readonly worker: object;
}

export function checkOptions(options: Given, known: Known): void {
  const given: Given | undefined = options;
  checkStorage(given?.storage);
  checkOptionNames(MAKER, options, OPTIONS);
  const { sandbox, allowPrivateNetworks, decideFromReceived, requestLog } = options;
  checkSwitches(MAKER, { sandbox, allowPrivateNetworks, decideFromReceived, requestLog });
  for (const [name, methods] of Object.entries(METHODS)) {
    const port: unknown = options[name as keyof typeof METHODS];
    if (port !== undefined) checkPort(name, port, methods);
  }
  checkInbox(options.inbox);
  checkSink(options.resumeSink);
  checkJobs(options.jobs);
  checkRetention(options.retention);
  checkSelfService(options.selfService);
  checkGoLive(MAKER, options.goLive);
  checkPortalUrl(options.portalUrl);
  readSupport(MAKER, options.support);
  checkRuntime(options.runtime);
  checkNumbers('limits', options.limits ?? {}, known.limits);
  checkWorker(options.worker, known.worker);
}

/** A worker that was last seen a day ago is forgotten. */
const LONGEST_IDLE_MS = 12 * HOUR_MS;

function checkWorker(worker: unknown = {}, known: object): void {
  const { idlePollMs = null, ...others } = (isObject(worker) ? worker : {}) as Partial<WorkerOptions>;
  // Null chooses the default.
  const numbers = idlePollMs === null ? others : { ...others, idlePollMs };
  checkNumbers('worker', isObject(worker) ? numbers : worker, known);
  if (idlePollMs === null || idlePollMs <= LONGEST_IDLE_MS) return;
  throw misconfiguration(
    `\`worker.idlePollMs\` is ${idlePollMs}, but must be at most 12 hours, ${LONGEST_IDLE_MS} milliseconds.`,
  );
}

const INBOX: OptionNames<InboxInHost<never>> = { receive: true, transaction: true, changes: true };

function checkInbox(inbox: unknown): void {
  if (inbox === undefined) return;
  checkOptionNames(MAKER, inbox as object, INBOX, 'inbox');
  const { transaction } = inbox as { readonly transaction?: unknown };
  if (transaction === undefined || typeof transaction === 'function') return;
  throw misconfiguration(
    '`inbox.transaction` must be a function that opens a transaction and awaits `run(tx)` in it. Omit it to let the storage ' +
      'open the transaction.',
  );
}

function checkSink(sink: unknown): void {
  const remove: unknown = isObject(sink) ? Reflect.get(sink, 'remove') : undefined;
  if (remove === undefined || typeof remove === 'function') return;
  throw misconfiguration(
    '`resumeSink.remove` must be a function that removes a résumé. Omit it if the sink cannot remove.',
  );
}

const RETENTION: OptionNames<RetentionOptions> = { applicationsMs: true, auditMs: true, requestsMs: true };

const JOBS: OptionNames<JobsOption> = {
  read: true,
  everyMs: true,
  missing: true,
  missingShareAtMost: true,
  adopt: true,
};

function checkJobs(jobs: unknown): void {
  if (jobs === undefined) return;
  checkPort('jobs', jobs, ['read']);
  checkOptionNames(MAKER, jobs as object, JOBS, 'jobs');
  const { everyMs, missing, missingShareAtMost: share, adopt } = jobs as Partial<JobsOption>;
  checkNumbers('jobs', { everyMs }, JOBS);
  checkSwitches(MAKER, { adopt });
  if (missing !== undefined && !MISSING_JOBS.includes(missing))
    throw misconfiguration(`\`jobs.missing\` must be one of ${MISSING_JOBS.join(', ')}.`);
  if (share === undefined || (share >= 0 && share <= 1)) return;
  throw misconfiguration('`jobs.missingShareAtMost` must be from 0 to 1, such as 0.2.');
}

function checkRetention(retention: unknown): void {
  if (retention === undefined) return;
  const { auditMs, ...others } = (isObject(retention) ? retention : {}) as Partial<RetentionOptions>;
  // Null keeps the entries.
  const numbers = auditMs === undefined || auditMs === null ? others : { ...others, auditMs };
  checkNumbers('retention', isObject(retention) ? numbers : retention, RETENTION);
  for (const [name, ms] of Object.entries(numbers) as [keyof RetentionOptions, number | undefined][]) {
    const { atLeastMs, inWords, advice } = RETENTION_LIMITS[name];
    if (ms === undefined || ms >= atLeastMs) continue;
    throw misconfiguration(
      `\`retention.${name}\` is ${ms}, but must be at least ${inWords}, ${atLeastMs} milliseconds. ${advice}`,
    );
  }
}

const A_DAY = { atLeastMs: DAY_MS, inWords: 'one day' } as const;

const RETENTION_LIMITS = {
  applicationsMs: { ...A_DAY, advice: 'Omit it to keep applications.' },
  auditMs: { ...A_DAY, advice: 'Set it to null to keep audit entries.' },
  requestsMs: {
    atLeastMs: HOUR_MS,
    inWords: 'one hour',
    advice: 'To keep no requests, pass `requestLog: false`.',
  },
} as const satisfies Readonly<Record<keyof RetentionOptions, object>>;

const SELF_SERVICE: OptionNames<SelfServiceOptions> = { events: true, ...ENDPOINT_RIGHTS };

function checkSelfService(selfService: unknown): void {
  if (selfService === undefined) return;
  if (!isObject(selfService)) {
    throw misconfiguration(
      `\`selfService\` is ${String(selfService)}, but must be an object such as \`{ events: true }\`.`,
    );
  }
  checkOptionNames(MAKER, selfService, SELF_SERVICE, 'selfService');
  const switches = Object.entries(selfService).map(([name, value]) => [`selfService.${name}`, value]);
  checkSwitches(MAKER, Object.fromEntries(switches));
}

function checkRuntime(runtime: unknown): void {
  if (runtime === undefined) return;
  for (const [part, methods] of Object.entries(RUNTIME)) {
    const port: unknown = isObject(runtime) ? Reflect.get(runtime, part) : null;
    checkPort(`runtime.${part}`, port, methods);
  }
}

function checkPort(name: string, port: unknown, methods: readonly string[]): void {
  const missing = methods.filter((method) => !hasMethod(port, method));
  if (missing.length === 0) return;
  throw misconfiguration(
    `\`${name}\` lacks ${listed(missing)}. Pass an object with these methods, or omit the option to use the default.`,
  );
}

const MAKER = 'createPartnerHiring';

function checkStorage(storage: unknown): void {
  if (typeof storage === 'object' && storage !== null && 'direct' in storage) return;
  throw misconfiguration(
    `${MAKER} needs \`storage\`: the result of \`await createSqliteStorage({ file })\` or ` +
      '`await createPostgresStorage({ pool })`. Without `await`, the result is only a promise.',
  );
}

function hasMethod(port: unknown, method: string): boolean {
  return isObject(port) && typeof Reflect.get(port, method) === 'function';
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/**
 * Checks that each number is a positive integer. A limit of zero would allow nothing, and `NaN` would allow
 * everything.
 */
function checkNumbers(option: string, values: unknown, known: object): void {
  if (!isObject(values)) {
    const names = listed(Object.keys(known));
    const message = `\`${option}\` is ${String(values)}, but must be an object with some of ${names}.`;
    throw misconfiguration(message);
  }
  checkOptionNames(MAKER, values, known, option);
  for (const [name, value] of Object.entries<unknown>(values as Record<string, unknown>)) {
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) > 0)) continue;
    throw misconfiguration(
      `\`${option}.${name}\` is ${String(value)}, but must be a whole number above 0. Omit it to use the default.`,
    );
  }
}
