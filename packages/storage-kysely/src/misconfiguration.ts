import { OperatorError } from '@partner-hiring/core';

/** The names of all options. A missing name does not compile. */
export type OptionNames<Options> = Readonly<Record<NameOf<Options>, true>>;

type NameOf<Options> = Options extends unknown ? keyof Options & string : never;

/** Rejects unknown options, even if undefined. `within` is the option that contains them, if any. */
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

/** Emits a process warning once for each message. A host without a logger sees it too. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
}

const warned = new Set<string>();
