import { UsageError } from './command.js';
import type { CommandInput } from './command-input.js';

const HOUR_MS = 3_600_000;
/** The library's limit. */
const LIMIT_HOURS = 168;

/** The option of both rotations. */
export const OVERLAP_OPTION = {
  'overlap-hours': {
    value: 'N',
    summary: `How long the old one still works: 0 to ${LIMIT_HOURS}, default 24`,
  },
} as const;

/** Returns the library's option. @throws UsageError if the overlap is out of range. */
export function overlapOf(input: CommandInput): { readonly overlapMs?: number } {
  const hours = input.optionNumber('overlap-hours');
  if (hours !== undefined && !(hours >= 0 && hours <= LIMIT_HOURS)) {
    throw new UsageError(`--overlap-hours must be from 0 to ${LIMIT_HOURS}, not ${hours}.`);
  }
  return hours === undefined ? {} : { overlapMs: Math.round(hours * HOUR_MS) };
}
