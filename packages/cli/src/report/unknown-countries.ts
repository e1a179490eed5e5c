import type { SystemStatus } from '@partner-hiring/core';
import { terminalText } from './terminal-text.js';

/** Names the unknown countries of open jobs. Empty if all are known. */
export function unknownCountriesText(unknown: SystemStatus['unknownCountries']): string {
  if (unknown.length === 0) return '';
  const named = unknown.map(({ country, jobs }) => `"${terminalText(country)}" (jobs: ${jobs})`);
  return `Not known as countries: ${named.join(', ')}. Phone numbers for these jobs need a country code.`;
}
