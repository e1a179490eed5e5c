import type { CommandInput } from './command-input.js';

const HOUR_MS = 3_600_000;

/** The option of both rotations. */
export const OVERLAP_OPTION = {
  'overlap-hours': { value: 'N', summary: 'How long the old one works on: 0 to 168, 24 if left out' },
} as const;

/** The overlap as the library takes it; nothing if it was left out. */
export function overlapOf(input: CommandInput): { readonly overlapMs?: number } {
  const hours = input.optionNumber('overlap-hours');
  return hours === undefined ? {} : { overlapMs: Math.round(hours * HOUR_MS) };
}
