import { DEPLOYMENT_NAME_RULE, isDeploymentName } from '../domain/deployment.js';
import { misconfiguration } from '../errors.js';

/** The names of a factory's options, for `checkOptionNames`. */
export type OptionNames<Options> = Readonly<Record<keyof Options & string, true>>;

/** Rejects unknown options, because a misspelled option would be ignored. @throws OperatorError `MISCONFIGURED` */
export function checkOptionNames(maker: string, options: object, known: object, within?: string): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const listed = (names: readonly string[]) =>
    names.map((name) => (within === undefined ? `\`${name}\`` : `\`${within}.${name}\``)).join(', ');
  throw misconfiguration(
    `${maker} has no option ${listed(unknown)}. Its options are ${listed(Object.keys(known))}.`,
  );
}

/**
 * Requires booleans, because the text `'false'` is truthy and would enable an option.
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkSwitches(maker: string, switches: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(switches)) {
    if (value === undefined || typeof value === 'boolean') continue;
    const given = typeof value === 'string' ? `the text '${value}'` : String(value);
    throw misconfiguration(
      `${maker}: \`${name}\` is ${given}, but must be true or false. ` +
        `For an environment variable, pass \`process.env.NAME === 'true'\`.`,
    );
  }
}

/** @throws OperatorError `MISCONFIGURED` */
export function checkDeploymentName(owner: string, given: unknown): void {
  if (given === undefined || isDeploymentName(given)) return;
  throw misconfiguration(`${owner}: \`deployment\` ${DEPLOYMENT_NAME_RULE}.`);
}

/** The factory whose options are checked. */
export const MAKER = 'createPartnerHiring';

/** Checks that a port has its methods. @throws OperatorError `MISCONFIGURED` */
export function checkPort(name: string, port: unknown, methods: readonly string[]): void {
  const missing = methods.filter((method) => !hasMethod(port, method));
  if (missing.length === 0) return;
  throw misconfiguration(
    `\`${name}\` lacks ${listed(missing)}. Pass an object with these methods, or omit the option to use the default.`,
  );
}

function hasMethod(port: unknown, method: string): boolean {
  return isObject(port) && typeof Reflect.get(port, method) === 'function';
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/**
 * Checks that each number is a positive integer. A limit of zero would allow nothing, and `NaN` would allow
 * everything.
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkNumbers(option: string, values: unknown, known: object): void {
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
