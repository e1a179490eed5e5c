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
