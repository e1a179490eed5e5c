import type { CandidateName } from '../../../ports/repositories/applications.js';
import type { Repositories } from '../../../ports/storage.js';
import type { FoundNames } from './search-names.js';

/** How many numbers a look-up reads: more if the caller sees only those of some partners. */
const FEW = 200;
const MOST = 5_000;

/** Shorter ends of numbers are those of too many people. */
const SHORTEST_END = 4;

/**
 * What people write before a number at home, and what E.164 has instead. The first row keeps the digits: the others are
 * for most countries; Russia, Belarus and Lithuania; Hungary; Mexico; Argentina, whose mobile numbers have a 15 inside.
 */
const AT_HOME: readonly (readonly [RegExp, string])[] = [
  [/^/, ''],
  [/^0+/, ''],
  [/^80?(?=\d{8,10}$)/, ''],
  [/^06(?=\d{8,9}$)/, ''],
  [/^0(?:1|2|4[45])(?=\d{10}$)/, ''],
  [/^0?(\d{2,4}?)15(?=\d{6,8}$)/, '9$1'],
];

/** Returns the digits with which a stored number may end that somebody writes without its country code. */
export function phoneEnds(digits: string): readonly string[] {
  const ends = AT_HOME.map(([prefix, instead]) => digits.replace(prefix, instead));
  return [...new Set(ends)].filter(({ length }) => length >= SHORTEST_END);
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
  const limit = isSeen === null ? FEW : MOST;
  for (const end of phoneEnds(digits)) {
    const found = await applications.listPhoneEnds({ digits: end, limit });
    const seen = found.filter((each) => isSeen === null || isSeen(each));
    const ids = seen.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1));
    if (ids.length > 0) return { ids, isComplete: found.length < limit };
  }
  return { ids: [], isComplete: true };
}
