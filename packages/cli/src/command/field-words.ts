import type { CommandField } from '@partner-hiring/core';

/** Fields of the library whose argument or option has a name of its own. */
const WORDS: Readonly<Record<string, string>> = {
  applyHeld: 'apply-held',
  clearSourceApplicationId: 'clear-source-id',
  endpointUrl: 'endpoint',
  lastNamePrefix: 'last-name',
  onlyErrors: 'errors',
  onlyFailedResumes: 'failed-resumes',
  onlyFailing: 'failing',
  onlyPaused: 'paused',
  onlyRemoved: 'removed',
  otherKeyId: 'other-key',
  secretLastFour: 'last-four',
  sourceApplicationId: 'source-id',
  submittedSince: 'since',
  unchangedSince: 'unchanged-for',
  'headcount.total': 'headcount',
};

/** Returns the name of a field's argument or option: an id is named after its kind, and a duration is in hours. */
export function wordOf({ name, idOf }: Pick<CommandField, 'name' | 'idOf'>): string {
  return WORDS[name] ?? idOf ?? kebab(name.replace(/Id$/, '').replace(/Ms$/, 'Hours'));
}

/** Returns the word for a field that a message names, such as `compensation.min`. */
export function wordInMessage(path: string): string {
  return WORDS[path] ?? wordOf({ name: path.slice(path.lastIndexOf('.') + 1), idOf: null });
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
