/** Dotted words, or anything in quotes. */
const LOCAL_PART = /[^<>()[\]\\.,;:\s@"\p{Cc}]+(?:\.[^<>()[\]\\.,;:\s@"\p{Cc}]+)*|"[^\p{Cc}\u2028\u2029]+"/u;
/** Labels in any script or in their ASCII form, as `xn--p1ai`. The last is no number: that would be an address. */
const DOMAIN = /(?:[\p{L}\p{M}\p{N}-]+\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)/u;
const ADDRESS_LITERAL = /\[\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\]/;

const EMAIL_ADDRESS = new RegExp(
  `^(?:${LOCAL_PART.source})@(?:${ADDRESS_LITERAL.source}|${DOMAIN.source})$`,
  'iu',
);

/**
 * Whether a text has the form of an e-mail address: RFC 5322, without comments, and the internationalised ones of
 * RFC 6531. Whether letters arrive there nobody can tell from it.
 */
export function isEmailAddress(text: string): boolean {
  return EMAIL_ADDRESS.test(text);
}
