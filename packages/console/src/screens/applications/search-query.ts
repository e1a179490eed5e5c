/** What a text in the search box looks like. */
export type SearchKind =
  | 'application'
  | 'job'
  | 'company'
  | 'key'
  | 'partner'
  | 'event'
  | 'email'
  | 'phone'
  | 'name'
  | 'source';

/** How somebody can search explicitly, beside the automatic choice. */
export const SEARCH_CHOICES = [
  ['name', 'Last name'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['source', 'Source id'],
] as const satisfies readonly (readonly [SearchKind, string])[];

const PREFIXES: readonly (readonly [string, SearchKind])[] = [
  ['ej_app_', 'application'],
  ['job_', 'job'],
  ['co_', 'company'],
  ['key_', 'key'],
  ['ptn_', 'partner'],
  ['evt_', 'event'],
];

/** `00` is how many write the plus of an international number. */
const PHONE = /^(\+|00)[\d\s().\-/]{5,}$/;
const NAME = /^[\p{L}\p{M}\s'’.-]+$/u;

/** Recognises an id, an e-mail address, a phone number, a last name or a partner's own id. */
export function recognizeSearch(text: string): SearchKind {
  const prefix = PREFIXES.find(([start]) => text.startsWith(start));
  if (prefix !== undefined) return prefix[1];
  if (text.includes('@')) return 'email';
  if (PHONE.test(text)) return 'phone';
  return NAME.test(text) ? 'name' : 'source';
}

/** Returns whether a search is by personal data, which must not be in an address. */
export function isPersonal(kind: SearchKind): kind is 'email' | 'phone' | 'name' {
  return kind === 'email' || kind === 'phone' || kind === 'name';
}

/** Returns the international form of a phone number that was typed with `00`. */
export function phoneOf(text: string): string {
  return text.startsWith('00') ? `+${text.slice(2)}` : text;
}
