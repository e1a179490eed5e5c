import type { CommandInput } from '../command/command-input.js';
import { UsageError } from '../command/usage-error.js';

const HOUR_MS = 3_600_000;
/** The library's limit. */
const LIMIT_HOURS = 168;

/** The `--overlap-hours` option of both rotations, of a key and of a signing secret. */
export const OVERLAP_OPTION = {
  'overlap-hours': {
    value: 'N',
    summary: `Hours that the old secret still works: 0 to ${LIMIT_HOURS}, default 24`,
  },
} as const;

/**
 * Reads `--overlap-hours` as the library's `overlapMs`. @throws UsageError if the overlap is out of range.
 */
export function overlapOf(input: CommandInput): { readonly overlapMs?: number } {
  const hours = input.optionNumber('overlap-hours');
  if (hours !== undefined && !(hours >= 0 && hours <= LIMIT_HOURS)) {
    throw new UsageError(`--overlap-hours must be from 0 to ${LIMIT_HOURS}, not ${hours}.`);
  }
  return hours === undefined ? {} : { overlapMs: Math.round(hours * HOUR_MS) };
}
