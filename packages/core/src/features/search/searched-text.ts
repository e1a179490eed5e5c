import { type IdKind, type IdOf, isIdOf } from '../../domain/ids.js';
import { isLongEnough, searchWords } from '../../domain/name-words.js';
import { isWellFormedSecret } from '../../domain/partner-key.js';
import { barePhone } from '../../domain/text.js';
import type { SearchKind } from './search-types.js';

/** The kinds of ids that lead to one object. */
const ID_KINDS = [
  'application',
  'partner',
  'key',
  'company',
  'job',
  'event',
  'operation',
] as const satisfies readonly (IdKind & SearchKind)[];

type SearchedId = (typeof ID_KINDS)[number];

/** `00` is how many write the plus of an international number. */
const PHONE = /^(?:\+|00)[\d\s().\-/]{5,}$/;
/** A national number, or the last digits of one: at least four. */
const PHONE_END = /^(?=(?:\D*\d){4})[\d\s().\-–/·•'’_]+$/;
const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A secret as lists show it, or its last four characters. */
const LAST_FOUR = /^(?:pek_(?:live|test)_?)?[…. *]*([A-Za-z0-9_-]{4})$/;
const SECRET_START = /^pek_(?:live|test)_/;
/** Names of people have no digits. */
const PERSON = /^[\p{L}\p{M}'.-]+$/u;

/** What a text may be. A field is null if the text cannot be that. */
export interface SearchedText {
  /** Without blanks around it. */
  readonly text: string;
  /** An id of ours, which is nothing else. */
  readonly idOf: SearchedId | null;
  readonly requestId: string | null;
  readonly email: string | null;
  /** Not normalized yet. */
  readonly phone: string | null;
  /** The digits of a number without its country code, or the last ones. */
  readonly phoneEnd: string | null;
  /** A whole secret of a key. */
  readonly secret: string | null;
  readonly lastFour: string | null;
  /** The words of a name. Null if none is long enough. */
  readonly words: readonly string[] | null;
  /** Whether it can be the last digits of a person's number, or words of a name. */
  readonly isPerson: boolean;
}

const NOTHING = {
  idOf: null,
  requestId: null,
  email: null,
  phone: null,
  phoneEnd: null,
  secret: null,
  lastFour: null,
  words: null,
  isPerson: false,
} as const;

export function readSearchedText(given: string): SearchedText {
  const text = given.trim();
  const nothing = { ...NOTHING, text };
  const idOf = ID_KINDS.find((kind) => isIdOf(kind, text)) ?? null;
  if (idOf !== null) return { ...nothing, idOf };
  if (isWellFormedSecret(text)) return { ...nothing, secret: text };
  const [, lastFour = null] = LAST_FOUR.exec(text) ?? [];
  if (SECRET_START.test(text)) return { ...nothing, lastFour };
  if (REQUEST_ID.test(text)) return { ...nothing, requestId: text.toLowerCase() };
  if (text.includes('@')) return { ...nothing, email: text };
  const number = barePhone(text);
  if (PHONE.test(number)) return { ...nothing, phone: number.replace(/^00/, '+') };
  const phoneEnd = PHONE_END.test(number) ? number.replace(/\D/g, '') : null;
  const words = searchWords(text);
  if (!words.some(isLongEnough)) return { ...nothing, lastFour, phoneEnd, isPerson: phoneEnd !== null };
  const isPerson = phoneEnd !== null || words.every((word) => PERSON.test(word));
  return { ...nothing, lastFour, phoneEnd, words, isPerson };
}

export function searchedId<Kind extends SearchedId>(
  { idOf, text }: SearchedText,
  kind: Kind,
): IdOf<Kind> | null {
  return idOf === kind && isIdOf(kind, text) ? text : null;
}

/** Returns the groups that can have something for a text. */
export function kindsOf(searched: SearchedText): readonly SearchKind[] {
  const { idOf, requestId, email, phone, secret, lastFour, words, isPerson } = searched;
  if (idOf !== null) return [idOf];
  if (secret !== null) return ['key'];
  const kinds: SearchKind[] = [];
  if (email !== null || phone !== null || isPerson) kinds.push('person');
  // Any other text may be the partner's own id of an application, but not a part of a secret.
  if (!SECRET_START.test(searched.text)) kinds.push('application');
  if (lastFour !== null) kinds.push('key');
  if (words !== null) kinds.push('partner', 'company', 'job');
  if (requestId !== null) kinds.push('request');
  return kinds;
}
