import { foldName } from './last-name-key.js';

/** Keeps the rows of the index small. In UTF-16 code units. */
const WORD_MAX_LENGTH = 60;

/** More words than names have. */
const MOST_NAME_WORDS = 40;

/** One search reads an index range or two for each word. */
const MOST_SEARCH_WORDS = 6;

/** Shorter words begin too many names. In code points. */
const WORD_MIN_LENGTH = 2;

/** Marks such as the plus of `C++` and the hash of `C#` belong to a word. */
const AROUND_WORD = /^(?:(?![#%&*@])\p{P})+|(?:(?![#%&*@])\p{P})+$/gu;

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{M}\p{N}]+/u;

/**
 * Returns the words under which a name is found, without case and accents, and each once. A word with marks inside, such
 * as `anne-marie`, is there as a whole and in parts.
 */
export function nameWords(name: string): readonly string[] {
  const words = foldName(name)
    .split(' ')
    .flatMap((part) => [trimmed(part), ...part.split(NO_LETTER_OR_DIGIT)]);
  return [...new Set(words.map(cut))].filter(isLongEnough).slice(0, MOST_NAME_WORDS);
}

/** Returns the words that somebody searches for, at most six and each once. */
export function searchWords(text: string): readonly string[] {
  const words = foldName(text).split(/[\s,;]+/u);
  return [...new Set(words.map(trimmed).map(cut))].filter((word) => word !== '').slice(0, MOST_SEARCH_WORDS);
}

/** Returns whether a word is long enough for a search. Shorter words only leave out names that others have found. */
export function isLongEnough(word: string): boolean {
  return [...word].length >= WORD_MIN_LENGTH;
}

/** Returns whether each searched word is the beginning of one of the name's words. */
export function isNamedLike(words: readonly string[], name: string): boolean {
  const folded = foldName(name);
  return words.every((word) => beginsWord(folded, word));
}

/** Compares without splitting the name, because a search compares thousands of names. */
function beginsWord(folded: string, word: string): boolean {
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (at === 0 || NO_LETTER_OR_DIGIT.test(folded.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * Returns the beginnings of last names to look up for searched words: each word, and for last names of several words
 * all words together, all but the first, and all but the last.
 */
export function lastNameBeginnings(words: readonly string[]): readonly string[] {
  const runs = [words, words.slice(1), words.slice(0, -1)].map((run) => run.join(' '));
  return [...new Set([...words, ...runs])].filter(isLongEnough);
}

function trimmed(word: string): string {
  return word.replace(AROUND_WORD, '');
}

function cut(word: string): string {
  return word.slice(0, WORD_MAX_LENGTH).toWellFormed();
}
