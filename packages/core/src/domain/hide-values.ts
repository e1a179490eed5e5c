import { getOrAdd } from './get-or-add.js';

/** Replaces a hidden part. */
const HIDDEN = '…';
/** A shorter value in Latin letters or digits occurs inside too many words, so it is only hidden as a whole word. */
const SHORT = 4;
const LATIN = /^[\p{Script=Latin}\p{N}]+$/u;
/** The length of the parts of long values that are searched. */
const PART = 6;
/** The shortest quoted piece of a long value that is hidden. A piece of this length always contains a whole part. */
const PIECE = 2 * PART;

const LETTER = /[\p{L}\p{N}]/u;
const NOT_LETTERS = /[^\p{L}\p{N}]/gu;
const MARK = /\p{M}/u;

/** A text without case, accents and punctuation, with the place of each character in the text. */
interface Plain {
  readonly text: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/**
 * Hides values in a text, even if their letter case, accents, blanks or punctuation differ. Also hides pieces of long
 * values. Ignores values of one character.
 */
export function hideValues(text: string, values: Iterable<string>): string {
  const plain = plainOf(text);
  const parts = partsOf(plain.text);
  const hidden = new Array<boolean>(text.length).fill(false);
  const hide = (start: number, end: number) => {
    hidden.fill(true, plain.from[start], plain.to[end - 1]);
  };
  const short = new Set<string>();
  for (const value of new Set(values)) {
    const wanted = letters(value);
    if (wanted.length < SHORT && LATIN.test(wanted)) short.add(wanted);
    else for (const at of placesOf(plain.text, wanted)) hide(at, at + wanted.length);
    if (wanted.length >= PIECE) hidePieces(plain.text, parts, wanted, hide);
    if (wanted.length < 2) for (const at of placesOf(text, value)) hidden.fill(true, at, at + value.length);
  }
  // Short values come after the long ones, because the ends of hidden values also end a word.
  const isOfWord = (at: number) => hidden[at] === false && LETTER.test(text[at] ?? '');
  for (const wanted of short) {
    for (const at of placesOf(plain.text, wanted)) {
      const end = at + wanted.length;
      const isWord = !isOfWord((plain.from[at] ?? 0) - 1) && !isOfWord(plain.to[end - 1] ?? text.length);
      if (isWord) hide(at, end);
    }
  }
  return withHidden(text, hidden);
}

function letters(text: string): string {
  // Upper case, because only that turns ß into SS and both forms of the small sigma into one.
  return text.normalize('NFKD').toUpperCase().normalize('NFKD').replace(NOT_LETTERS, '');
}

function plainOf(text: string): Plain {
  let plain = '';
  const from: number[] = [];
  const to: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const added = letters(character);
    plain += added;
    for (let index = 0; index < added.length; index += 1) {
      from.push(at);
      to.push(end);
    }
    if (added === '' && to.length > 0 && MARK.test(character)) to[to.length - 1] = end;
    at = end;
  }
  return { text: plain, from, to };
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  if (wanted.length < 2) return places;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

function partsOf(text: string): ReadonlyMap<string, readonly number[]> {
  const parts = new Map<string, number[]>();
  for (let at = 0; at + PART <= text.length; at += 1) {
    getOrAdd(parts, text.slice(at, at + PART), () => []).push(at);
  }
  return parts;
}

function hidePieces(
  text: string,
  parts: ReadonlyMap<string, readonly number[]>,
  wanted: string,
  hide: (start: number, end: number) => void,
): void {
  for (let at = 0; at + PART <= wanted.length; at += PART) {
    for (const place of parts.get(wanted.slice(at, at + PART)) ?? []) {
      let before = 0;
      while (before < Math.min(at, place) && text[place - before - 1] === wanted[at - before - 1])
        before += 1;
      let after = PART;
      while (place + after < text.length && text[place + after] === wanted[at + after]) after += 1;
      if (before + after >= PIECE) hide(place - before, place + after);
    }
  }
}

function withHidden(text: string, hidden: readonly boolean[]): string {
  let shown = '';
  for (let at = 0; at < text.length; at += 1) {
    if (hidden[at] === false) shown += text[at];
    else if (at === 0 || hidden[at - 1] === false) shown += HIDDEN;
  }
  return shown;
}
