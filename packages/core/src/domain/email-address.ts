import { domainToUnicode } from 'node:url';
import { hasAtMost, trimEdges } from './text.js';
import { parseUrl } from './web-link.js';

/** Dots may stand anywhere, because some providers once issued such addresses. Decision 10. */
const LOCAL_PART = /^(?:(?!\.+$)[^<>()[\]\\,;:\s@"\p{Cc}]+|"[^\p{Cc}\u2028\u2029]+")$/u;
/** RFC 5321, section 4.5.3.1.1. */
export const EMAIL_LOCAL_PART_MAX = 64;
/**
 * The last label must contain letters, because numeric last labels belong to IP addresses. The IDNA
 * conversion validates joiners later.
 */
const DOMAIN = /^(?:(?:[\p{L}\p{M}\p{N}-]|\u200C|\u200D)+\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu;
/** RFC 1035, section 2.3.4. */
const DOMAIN_MAX = 253;
/** RFC 1123, section 2.1. */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

export function isEmailAddress(text: string): boolean {
  return hasShortLocalPart(text) && problemOfEmail(text) === null;
}

/** White space and invisible marks, but neither control characters nor the overrides that decision 7 refuses. */
const AROUND_EMAIL = /(?!\p{Cc})[\s\u00AD\u061C\u180E\u200B-\u200F\u2060\uFEFF]/u;

/** Removes the white space and the invisible marks around an address. Control characters stay. Decision 10. */
export function trimEmail(text: string): string {
  return trimEdges(text, AROUND_EMAIL);
}

/** Returns whether the part before the last at sign has at most 64 characters. */
export function hasShortLocalPart(text: string): boolean {
  const local = text.slice(0, Math.max(0, text.lastIndexOf('@')));
  return hasAtMost(local, EMAIL_LOCAL_PART_MAX);
}

/** Returns which part of an address is not valid. Null if it is valid, apart from its length. */
export function problemOfEmail(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at === -1) return 'Must be an e-mail address with an at sign.';
  if (!LOCAL_PART.test(text.slice(0, at)))
    return 'Not a valid e-mail address: check the part before the at sign.';
  if (isDomainName(text.slice(at + 1))) return null;
  return 'Not a valid e-mail address: the part after the at sign must be a valid domain name.';
}

function isDomainName(text: string): boolean {
  if (text.length > DOMAIN_MAX || !DOMAIN.test(text)) return false;
  const name = parseUrl(`https://${text}`)?.hostname ?? '';
  return name.length <= DOMAIN_MAX && name.split('.').every((label) => LABEL.test(label));
}

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

/** Ignores letter case. The two forms of the small sigma become one, because the next letter decides between them. */
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

/** Removes unneeded quotation marks, which do not belong to the address. RFC 5321, section 4.1.2. */
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
