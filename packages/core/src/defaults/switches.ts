import { OperatorError } from '../errors.js';

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
