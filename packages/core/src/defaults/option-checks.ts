import { OperatorError } from '../errors.js';

/** The names of all options of a type. One that is missing here does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options & string, true>>;

/**
 * Refuses options that do not exist, also if their value is undefined: a misspelt one would have no effect.
 *
 * @param maker - the function that was given the options.
 * @param known - has the names that exist.
 * @param within - the option that they are parts of, if any.
 * @throws OperatorError `MISCONFIGURED` naming them and those that exist.
 */
export function checkOptionNames(maker: string, options: object, known: object, within?: string): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const listed = (names: readonly string[]) =>
    names.map((name) => (within === undefined ? `\`${name}\`` : `\`${within}.${name}\``)).join(', ');
  throw new OperatorError(
    'MISCONFIGURED',
    `${maker} was given ${listed(unknown)}, which ${unknown.length === 1 ? 'does' : 'do'} not exist. ` +
      `Its options are ${listed(Object.keys(known))}.`,
  );
}

/**
 * Refuses what is neither true nor false: `'false'`, as the environment has it, would switch on.
 *
 * @throws OperatorError `MISCONFIGURED`
 */
export function checkSwitches(maker: string, switches: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(switches)) {
    if (value === undefined || typeof value === 'boolean') continue;
    const given = typeof value === 'string' ? `the text '${value}'` : String(value);
    throw new OperatorError(
      'MISCONFIGURED',
      `${maker} was given \`${name}\` as ${given}. Give true or false, or leave it out; ` +
        `of a variable of the environment, \`process.env.NAME === 'true'\`.`,
    );
  }
}
