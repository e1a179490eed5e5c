import { isSomeId } from '../command/repeated.js';

const NAMED_SECRET = /pek[_-](?:live|test)|whsec/i;
const HEX = /[\da-f]{32,}/i;
/** 32 bytes in base64. */
const BASE64 = /^[a-z\d+/_-]{42,44}={0,2}$/i;
const LONG = /[\w+=-]{40,}/g;

/**
 * Returns a function that replaces every typed secret by `***`, wherever a message repeats it. Secrets are API keys,
 * signing secrets, and random bytes such as the sealing key.
 *
 * @param words - what was typed, and secrets that the environment has.
 */
export function createWithholder(words: readonly string[]): (text: string) => string {
  const secrets = new Set(words.flatMap(secretsIn));
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

function secretsIn(word: string): readonly string[] {
  const value = word.replace(/^--?(?:[a-z-]+=)?/i, '');
  if (BASE64.test(value) && isMixed(value) && !isSomeId(value)) return [value];
  const parts = value.split(/[\s"'`,;]+/);
  return parts.flatMap((part) => {
    if (NAMED_SECRET.test(part)) return [part];
    const hex = HEX.exec(part)?.[0];
    const long = part.match(LONG)?.filter((each) => isMixed(each) && !isSomeId(each)) ?? [];
    return hex === undefined ? long : [hex, ...long];
  });
}

/** Random bytes have letters of both cases and digits. */
function isMixed(text: string): boolean {
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
}
