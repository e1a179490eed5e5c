/** Writes `2` as `2nd`. */
export function ordinal(number: number): string {
  const endings: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${isTeen ? 'th' : (endings[number % 10] ?? 'th')}`;
}
