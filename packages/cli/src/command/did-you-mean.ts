const MOST_EDITS = 2;
const MOST_WORDS = 3;

/** Words that people type, and the words of the command line for them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'publish', 'issue', 'grant'],
  new: ['create', 'publish', 'issue'],
  delete: ['remove', 'revoke', 'archive', 'erase'],
  rm: ['remove', 'revoke', 'archive'],
  get: ['show', 'find', 'list'],
  find: ['show', 'list'],
  ls: ['list'],
  resend: ['redeliver', 'replay'],
  retry: ['redeliver'],
  from: ['since'],
  after: ['since'],
  before: ['until'],
  to: ['until'],
};

/**
 * Returns ` Did you mean …?` if some of the known words are like the typed one. Otherwise an empty text.
 * @param mark - stands before each word, such as `--`.
 */
export function didYouMean(typed: string, known: readonly string[], mark = ''): string {
  const found = similarWords(typed, known).slice(0, MOST_WORDS);
  return found.length === 0 ? '' : ` Did you mean ${found.map((word) => mark + word).join(' or ')}?`;
}

/** Returns the known words that mean the same, that are the most similar, or that begin like the typed one. */
function similarWords(typed: string, known: readonly string[]): readonly string[] {
  const word = typed.toLowerCase();
  const synonyms = Object.hasOwn(SYNONYMS, word) ? (SYNONYMS[word] ?? []) : [];
  const meant = known.filter((each) => synonyms.includes(each));
  if (meant.length > 0) return meant;
  const edits = known.map((each) => [each, editsBetween(word, each.toLowerCase())] as const);
  const fewest = Math.min(...edits.map(([, count]) => count));
  const near = edits.filter(
    ([each, count]) => count === fewest && count <= Math.min(MOST_EDITS, each.length / 2),
  );
  if (near.length > 0) return near.map(([each]) => each);
  return word.length < 3 ? [] : known.filter((each) => each.toLowerCase().startsWith(word));
}

/** The number of letters to add, remove, replace or swap with a neighbour. */
function editsBetween(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MOST_EDITS) return MOST_EDITS + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= right.length; to += 1) {
      const isSame = left.charAt(at - 1) === right.charAt(to - 1);
      const isSwapped =
        left.charAt(at - 1) === right.charAt(to - 2) && left.charAt(at - 2) === right.charAt(to - 1);
      next.push(
        Math.min(
          (row[to - 1] ?? 0) + (isSame ? 0 : 1),
          (row[to] ?? 0) + 1,
          (next[to - 1] ?? 0) + 1,
          isSwapped && at > 1 && to > 1 ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
