import { checkSwitches } from './defaults/switches.js';
import { OperatorError } from './errors.js';
import type { OperatorAlerts } from './ports/operator-alerts.js';
import type { ResumeSink, ResumeSource } from './ports/resume-sink.js';
import type { Clock } from './ports/runtime.js';
import type { SecretBox } from './ports/secret-box.js';
import type { Logger } from './ports/telemetry.js';
import type { WebhookTransport } from './ports/webhook-transport.js';

/** Ports that a host may bring, and of which nothing else shows early that a method is missing. */
interface Brought {
  readonly secretBox: SecretBox;
  readonly alerts: OperatorAlerts;
  readonly resumeSink: ResumeSink;
  readonly resumeSource: ResumeSource;
  readonly logger: Logger;
  readonly transport: WebhookTransport;
}

/** What is called of them. */
const METHODS = {
  secretBox: ['seal', 'open'],
  alerts: ['alert'],
  resumeSink: ['store'],
  resumeSource: ['fetch', 'close'],
  logger: ['debug', 'info', 'warn', 'error'],
  transport: ['post', 'close'],
} as const satisfies { readonly [Name in keyof Brought]: readonly (keyof Brought[Name])[] };

/** The options of `createPartnerHiring` that are looked at, as JavaScript may give them. */
type Given = {
  readonly [Name in
    | keyof Brought
    | 'storage'
    | 'sandbox'
    | 'allowPrivateNetworks'
    | 'decideFromReceived']?: unknown;
} & { readonly limits?: object; readonly worker?: object };

/**
 * Refuses what JavaScript lets through and would be met only later: when a partner calls, or by nobody at all.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkOptions(options: Given): void {
  const given: Given | undefined = options;
  checkStorage(given?.storage);
  const { sandbox, allowPrivateNetworks, decideFromReceived } = options;
  checkSwitches(MAKER, { sandbox, allowPrivateNetworks, decideFromReceived });
  for (const [name, methods] of Object.entries(METHODS)) {
    const port: unknown = options[name as keyof typeof METHODS];
    if (port === undefined) continue;
    const missing = methods.filter((method) => !hasMethod(port, method));
    if (missing.length === 0) continue;
    throw new OperatorError(
      'MISCONFIGURED',
      `The \`${name}\` of ${MAKER} lacks ${missing.map((method) => `\`${method}\``).join(', ')}. Give an object with ` +
        'these methods, or leave the option out.',
    );
  }
  checkNumbers('limits', options.limits ?? {});
  checkNumbers('worker', options.worker ?? {});
}

/** Later ones have years of more than four digits, which the API's `date-time` does not. */
const LAST_INSTANT = Date.UTC(10_000, 0) - 1;

/**
 * Refuses a clock that no instant can be told by: before 1970 windows and identifiers have no place, and after 9999
 * instants have no form. A clock of microseconds is there.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkClock(clock: Pick<Clock, 'now'>): void {
  const at = clock.now();
  if (Number.isSafeInteger(at) && at >= 0 && at <= LAST_INSTANT) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The clock of ${MAKER} says ${at}, where a whole number of milliseconds since 1970 is wanted, before the year 10000. ` +
      "Set this machine's clock, or mend `now` of the `clock` in `runtime`.",
  );
}

const MAKER = 'createPartnerHiring';

function checkStorage(storage: unknown): void {
  if (typeof storage === 'object' && storage !== null && 'direct' in storage) return;
  throw new OperatorError(
    'MISCONFIGURED',
    `${MAKER} needs \`storage\`, opened before: \`await createSqliteStorage({ file })\` or ` +
      '`await createPostgresStorage({ pool })`. Without the `await` it is a promise of one.',
  );
}

function hasMethod(port: unknown, method: string): boolean {
  const hasAny = (typeof port === 'object' && port !== null) || typeof port === 'function';
  return hasAny && typeof Reflect.get(port, method) === 'function';
}

/** A zero would let nothing through, and `NaN` everything: neither can be meant. */
function checkNumbers(option: string, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new OperatorError(
      'MISCONFIGURED',
      `${MAKER} was given \`${option}.${name}\` as ${String(value)}. Give a whole number above 0, or leave it out for the default.`,
    );
  }
}
