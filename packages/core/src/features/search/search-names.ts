import { foldName } from '../../domain/last-name-key.js';
import { isLongEnough, isNamedLike, lastNameBeginnings } from '../../domain/name-words.js';
import type { CandidateName } from '../../ports/repositories/applications.js';
import type { NamedMatch, NamesByWord } from '../../ports/repositories/partners.js';
import type { Repositories } from '../../ports/storage.js';
import { phoneEnds } from './phone-ends.js';

export interface FoundNames<Id extends string> {
  /** The best matches first, and newer ones before older. */
  readonly ids: readonly Id[];
  /** False if the search did not read all names that can match. */
  readonly isComplete: boolean;
}

const MATCHES = ['whole', 'longer'] as const;

/** How many names a look-up reads if each of them is a result. More than the results, because a name may come twice. */
const FEW = 200;

/** How many last names a look-up reads if other words leave out some. Bounds the time of a search. */
const MOST_LAST_NAMES = 5_000;

/** How many names of partners, companies or jobs a look-up reads if other words leave out some. */
const MOST_NAMES = 1_000;

/**
 * Finds the applications of candidates whose last name begins with one of the words, or with several of them, and whose
 * names have words that begin with the others.
 * @param isSeen - null if the caller sees all applications.
 */
export async function searchPeople(
  { applications }: Pick<Repositories, 'applications'>,
  words: readonly string[],
  isSeen: ((name: CandidateName) => boolean) | null,
): Promise<FoundNames<CandidateName['id']>> {
  const limit = words.length === 1 && isSeen === null ? FEW : MOST_LAST_NAMES;
  const beginnings = lastNameBeginnings(words);
  const lists = await Promise.all(
    beginnings.flatMap((lastNameKey) =>
      MATCHES.map((match) => applications.listNames({ lastNameKey, match, limit })),
    ),
  );
  const names = new Map(lists.flat().map((name) => [name.id, name]));
  const whole = new Set(beginnings);
  const found = [...names.values()].filter(
    (name) => isNamedLike(words, `${name.firstName} ${name.lastName}`) && (isSeen === null || isSeen(name)),
  );
  return {
    ids: bestFirst(found, ({ lastName }) => whole.has(foldName(lastName).trim())),
    isComplete: lists.every(({ length }) => length < limit),
  };
}

/**
 * Finds the applications of candidates whose number has these digits at home, or ends with them. The newest come first.
 * @param isSeen - null if the caller sees all applications.
 */
export async function searchPhoneEnds(
  { applications }: Pick<Repositories, 'applications'>,
  digits: string,
  isSeen: ((found: Pick<CandidateName, 'keyId'>) => boolean) | null,
): Promise<FoundNames<CandidateName['id']>> {
  const limit = isSeen === null ? FEW : MOST_LAST_NAMES;
  for (const end of phoneEnds(digits)) {
    const found = await applications.listPhoneEnds({ digits: end, limit });
    const seen = found.filter((each) => isSeen === null || isSeen(each));
    const ids = seen.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1));
    if (ids.length > 0) return { ids, isComplete: found.length < limit };
  }
  return { ids: [], isComplete: true };
}

/** How to find the names of one kind of object. */
export interface NameSource<Id extends string> {
  by(by: NamesByWord): Promise<readonly NamedMatch<Id>[]>;
  namesOf(ids: readonly Id[]): Promise<readonly (string | null)[]>;
}

/** Finds the objects whose names have words that begin with all of these words. */
export async function searchNamed<Id extends string>(
  { by, namesOf }: NameSource<Id>,
  words: readonly string[],
  isForSomePartners: boolean,
): Promise<FoundNames<Id>> {
  const isLone = words.length === 1;
  const limit = isForSomePartners ? MOST_LAST_NAMES : isLone ? FEW : MOST_NAMES;
  const asked = words.filter(isLongEnough);
  const lists = await Promise.all(
    asked.map(async (word) => (await Promise.all(MATCHES.map((match) => by({ word, match, limit })))).flat()),
  );
  // Each name that matches is in each list, unless the list is cut. The shortest one leaves the least to compare.
  const [shortest = []] = lists.toSorted((one, other) => one.length - other.length);
  const whole = new Set(asked);
  const matches = bestFirst(shortest, ({ word }) => whole.has(word));
  const ids = [...new Set(matches)];
  const isComplete = shortest.length < limit;
  if (isLone) return { ids, isComplete };
  const names = await namesOf(ids);
  return { ids: ids.filter((_, index) => isNamedLike(words, names[index] ?? '')), isComplete };
}

/** Ids contain the time, so the greatest are the newest. */
function bestFirst<Row extends { readonly id: string }>(
  rows: readonly Row[],
  isExact: (row: Row) => boolean,
): readonly Row['id'][] {
  const ranked = rows.map((row) => ({ id: row.id, rank: isExact(row) ? 0 : 1 }));
  return ranked
    .sort((one, other) => one.rank - other.rank || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}
