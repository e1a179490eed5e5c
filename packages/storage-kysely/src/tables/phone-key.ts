/** Returns a phone number backwards. The numbers with the same last digits are then in one range of an index. */
export function phoneKey(phone: string): string {
  return [...phone].reverse().join('');
}
