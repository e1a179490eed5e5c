import { parseUrl } from './parse-url.js';

/** Dotted words, or anything in quotes. */
const LOCAL_PART =
  /^(?:[^<>()[\]\\.,;:\s@"\p{Cc}]+(?:\.[^<>()[\]\\.,;:\s@"\p{Cc}]+)*|"[^\p{Cc}\u2028\u2029]+")$/u;
/** What may stand before the at sign. RFC 5321, section 4.5.3.1.1. */
export const EMAIL_LOCAL_PART_MAX = 64;
/**
 * Labels in any script or in their ASCII form, as `xn--p1ai`. The last is no number: that would be an address. Some
 * scripts need joiners (U+200C, U+200D); whether they may stand there is for IDNA to say.
 */
const DOMAIN = /^(?:(?:[\p{L}\p{M}\p{N}-]|\u200C|\u200D)+\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu;
/** RFC 1035, section 2.3.4, as the dots between labels are written. */
const DOMAIN_MAX = 253;
/** RFC 1123, section 2.1: letters, digits and inner hyphens, 63 at most. */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Whether a text has the form of an e-mail address: RFC 5322, without comments, and the internationalised ones of
 * RFC 6531, at a domain name that can exist. Whether letters arrive there nobody can tell from it.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at !== -1 && isLocalPart(text.slice(0, at)) && isDomainName(text.slice(at + 1));
}

/** Its length counts code points, as people count characters. */
function isLocalPart(text: string): boolean {
  return (
    text.length <= 2 * EMAIL_LOCAL_PART_MAX &&
    [...text].length <= EMAIL_LOCAL_PART_MAX &&
    LOCAL_PART.test(text)
  );
}

/** Lengths are those of the name in ASCII, which is what name servers are asked for. */
function isDomainName(text: string): boolean {
  if (text.length > DOMAIN_MAX || !DOMAIN.test(text)) return false;
  const name = parseUrl(`https://${text}`)?.hostname ?? '';
  return name.length <= DOMAIN_MAX && name.split('.').every((label) => LABEL.test(label));
}
