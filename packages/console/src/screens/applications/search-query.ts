import { isLibraryId } from '../../http/library-id.js';
import { LABELS } from '../../labels.js';

const IDS = ['application', 'job', 'company', 'key', 'partner', 'event'] as const;

/** An id of ours, which may be in an address. */
export type SearchedId = (typeof IDS)[number];

/**
 * The kinds of searches for other texts than ids. The text may be personal data, so only the body of a request may
 * contain it.
 */
export type QueryKind = 'email' | 'phone' | 'name' | 'source';

/** How somebody can search explicitly, beside the automatic choice. */
export const SEARCH_CHOICES = [
  ['name', 'Last name'],
  ['email', LABELS.candidate.email],
  ['phone', LABELS.candidate.phone],
  ['source', LABELS.application.sourceApplicationId],
] as const satisfies readonly (readonly [QueryKind, string])[];

/** `00` is how many write the plus of an international number. */
const PHONE = /^(\+|00)[\d\s().\-/]{5,}$/;
/** A last name, or a last and a first name with a comma between them. */
const NAME = /^[\p{L}\p{M}\s'’.-]+(?:,[\p{L}\p{M}\s'’.-]*)?$/u;

/** Recognises an id, an e-mail address, a phone number, a last name or a partner's own id. */
export function recognizeSearch(text: string): SearchedId | QueryKind {
  const id = IDS.find((kind) => isLibraryId(kind, text));
  if (id !== undefined) return id;
  if (text.includes('@')) return 'email';
  if (PHONE.test(text)) return 'phone';
  return NAME.test(text) ? 'name' : 'source';
}

/** Returns whether a search is by an id of ours. */
export function isById(kind: SearchedId | QueryKind): kind is SearchedId {
  return IDS.some((id) => id === kind);
}

/** Returns the last name of `Lovelace, Ada`. */
export function lastNameOf(text: string): string {
  return text.split(',', 1).join('').trim();
}

/** Returns the international form of a phone number that was typed with `00`. */
export function phoneOf(text: string): string {
  return text.startsWith('00') ? `+${text.slice(2)}` : text;
}
