import { UsageError } from './command.js';
import type { CommandInput } from './command-input.js';

const HOUR_MS = 3_600_000;
/** The library's limit, in the unit of the option. */
const LIMIT_HOURS = 168;

/** The option of both rotations. */
export const OVERLAP_OPTION = {
  'overlap-hours': {
    value: 'N',
    summary: `How long the old one works on: 0 to ${LIMIT_HOURS}, 24 if left out`,
  },
} as const;

/** The overlap as the library takes it; nothing if it was left out. @throws UsageError if it is too long. */
export function overlapOf(input: CommandInput): { readonly overlapMs?: number } {
  const hours = input.optionNumber('overlap-hours');
  if (hours !== undefined && !(hours >= 0 && hours <= LIMIT_HOURS)) {
    throw new UsageError(`--overlap-hours must be from 0 to ${LIMIT_HOURS}. It is ${hours}.`);
  }
  return hours === undefined ? {} : { overlapMs: Math.round(hours * HOUR_MS) };
}
