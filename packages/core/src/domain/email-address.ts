import { parseUrl } from './parse-url.js';

const LOCAL_PART =
  /^(?:[^<>()[\]\\.,;:\s@"\p{Cc}]+(?:\.[^<>()[\]\\.,;:\s@"\p{Cc}]+)*|"[^\p{Cc}\u2028\u2029]+")$/u;
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
  const at = text.lastIndexOf('@');
  return at !== -1 && isLocalPart(text.slice(0, at)) && isDomainName(text.slice(at + 1));
}

function isLocalPart(text: string): boolean {
  return (
    text.length <= 2 * EMAIL_LOCAL_PART_MAX &&
    [...text].length <= EMAIL_LOCAL_PART_MAX &&
    LOCAL_PART.test(text)
  );
}

function isDomainName(text: string): boolean {
  if (text.length > DOMAIN_MAX || !DOMAIN.test(text)) return false;
  const name = parseUrl(`https://${text}`)?.hostname ?? '';
  return name.length <= DOMAIN_MAX && name.split('.').every((label) => LABEL.test(label));
}
