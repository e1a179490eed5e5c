/** Shorter ends of numbers are those of too many people. */
const SHORTEST_END = 4;

/**
 * Each row has a prefix that people write in their own country, and what E.164 has in its place. The first row keeps the
 * digits. The others are for most countries; Russia, Belarus and Lithuania; Hungary; Mexico; Argentina, whose mobile numbers have a 15 inside.
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
