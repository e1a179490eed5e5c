import { OperatorError } from '@partner-hiring/core';

/** The names of all options of a type, of each member of a union. One that is missing here does not compile. */
export type OptionNames<Options> = Readonly<Record<NameOf<Options>, true>>;

type NameOf<Options> = Options extends unknown ? keyof Options & string : never;

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

/** Warns through the process: a host without a logger must see it, and one that opens many storages must see it once. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
}

const warned = new Set<string>();
