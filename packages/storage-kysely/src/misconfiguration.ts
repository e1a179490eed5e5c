import { OperatorError } from '@partner-hiring/core';

/** The error for an option or a database that a storage cannot use. The message says how to fix it. */
export function storageMisconfiguration(message: string, options?: ErrorOptions): OperatorError {
  return new OperatorError('MISCONFIGURED', message, options);
}

/** The names of all options of a type. The compiler rejects an object that lacks one. */
export type StorageOptionNames<Options> = Readonly<Record<NameOf<Options>, true>>;

type NameOf<Options> = Options extends unknown ? keyof Options & string : never;

/**
 * Throws if an object has an unknown option, even one set to undefined. If the options are nested in another
 * option, `within` is its name.
 */
export function checkStorageOptionNames(
  maker: string,
  options: object,
  known: object,
  within?: string,
): void {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const listed = (names: readonly string[]) =>
    names.map((name) => (within === undefined ? `\`${name}\`` : `\`${within}.${name}\``)).join(', ');
  throw storageMisconfiguration(
    `${maker} was given ${listed(unknown)}, which ${unknown.length === 1 ? 'does' : 'do'} not exist. ` +
      `Its options are ${listed(Object.keys(known))}.`,
  );
}

/** Emits a process warning, once for each message. Hosts without a logger see process warnings too. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
}

const warned = new Set<string>();
