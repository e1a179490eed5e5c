import { domainToUnicode } from 'node:url';
import { parseUrl } from './web-link.js';

/** The parts of an address. `domain` is empty without an `@`. */
export interface EmailParts {
  readonly local: string;
  readonly domain: string;
}

/** Splits an address at its last `@`. */
export function splitEmail(email: string): EmailParts {
  const at = email.lastIndexOf('@');
  return at < 0 ? { local: email, domain: '' } : { local: email.slice(0, at), domain: email.slice(at + 1) };
}

/** Returns the two spellings of an international domain: in ASCII (`xn--…`) and in letters. */
export function spellingsOfDomain(domain: string): { readonly ascii: string; readonly letters: string } {
  const ascii = parseUrl(`https://${domain}`)?.hostname ?? '';
  return ascii === ''
    ? { ascii: foldCase(domain), letters: domain }
    : { ascii, letters: domainToUnicode(ascii) };
}

/**
 * Returns the form in which an address is found. All spellings of one mailbox have one form: in any letter case, with
 * composed or decomposed letters, with the domain in letters or in ASCII. Tags, such as `+jobs`, make another mailbox.
 */
export function emailKey(email: string): string {
  const { local, domain } = splitEmail(email.trim());
  return domain === '' ? foldCase(local) : `${foldCase(unquote(local))}@${spellingsOfDomain(domain).ascii}`;
}

/** Both forms of the small sigma become one, because its form depends on what follows it. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Quotation marks that are not needed do not belong to the address. RFC 5321, section 4.1.2. */
function unquote(local: string): string {
  const [, quoted] = /^"(.*)"$/su.exec(local) ?? [];
  return quoted === undefined || !/^[^\s"(),:;<>@[\\\]]+$/u.test(quoted) ? local : quoted;
}

/**
 * Returns the usual spellings of an address, with ASCII letters in lower case. Use it where rows have no {@link emailKey}.
 */
export function emailSpellings(email: string): readonly string[] {
  const { local, domain } = splitEmail(email.trim());
  const { ascii, letters } = spellingsOfDomain(domain);
  const locals = formsOf(local);
  const domains = domain === '' ? [] : [...formsOf(domain), ...formsOf(letters), ascii];
  const addresses =
    domain === '' ? locals : locals.flatMap((one) => domains.map((other) => `${one}@${other}`));
  return [...new Set([email, ...addresses].map(lowerAscii))];
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function formsOf(text: string): readonly string[] {
  return [text, text.toLowerCase(), text.toUpperCase()].flatMap((form) => [
    form.normalize('NFC'),
    form.normalize('NFD'),
  ]);
}
