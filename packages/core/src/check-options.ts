import {
  checkNumbers,
  checkOptionNames,
  checkPort,
  checkSwitches,
  isObject,
  MAKER,
  type OptionNames,
} from './defaults/option-checks.js';
import { readSupport } from './defaults/support.js';
import { DAY_MS, HOUR_MS } from './domain/time.js';
import { misconfiguration } from './errors.js';
import type { AnyOptions, Feature } from './features/feature.js';
import type { RetentionOptions } from './options.js';
import type { Runtime } from './ports/runtime.js';
import type { WorkerOptions } from './worker/options.js';

const OPTIONS: OptionNames<AnyOptions> = {
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
} as const satisfies Methods<AnyOptions>;

const RUNTIME = {
  clock: ['now', 'sleep'],
  ids: ['next'],
  random: ['bytes', 'fraction', 'token'],
} as const satisfies Methods<Runtime>;

type Methods<Ports> = {
  readonly [Name in keyof Ports]?: readonly (keyof NonNullable<Ports[Name]>)[];
};

type Given = Pick<AnyOptions, 'support'> & { readonly [Name in keyof AnyOptions]?: unknown };

interface Known {
  readonly limits: object;
  readonly worker: object;
}

export function checkOptions(options: Given, known: Known, features: readonly Feature[]): void {
  const given: Given | undefined = options;
  checkStorage(given?.storage);
  checkOptionNames(MAKER, options, OPTIONS);
  const { sandbox, allowPrivateNetworks, decideFromReceived, requestLog } = options;
  checkSwitches(MAKER, { sandbox, allowPrivateNetworks, decideFromReceived, requestLog });
  for (const [name, methods] of Object.entries(METHODS)) {
    const port: unknown = options[name as keyof typeof METHODS];
    if (port !== undefined) checkPort(name, port, methods);
  }
  for (const feature of features) feature.checkOptions?.(options);
  checkRetention(options.retention);
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

const RETENTION: OptionNames<RetentionOptions> = { applicationsMs: true, auditMs: true, requestsMs: true };

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

function checkRuntime(runtime: unknown): void {
  if (runtime === undefined) return;
  for (const [part, methods] of Object.entries(RUNTIME)) {
    const port: unknown = isObject(runtime) ? Reflect.get(runtime, part) : null;
    checkPort(`runtime.${part}`, port, methods);
  }
}

function checkStorage(storage: unknown): void {
  if (typeof storage === 'object' && storage !== null && 'direct' in storage) return;
  throw misconfiguration(
    `${MAKER} needs \`storage\`: the result of \`await createSqliteStorage({ file })\` or ` +
      '`await createPostgresStorage({ pool })`. Without `await`, the result is only a promise.',
  );
}
