import { repeated } from './repeated.js';
import { UsageError } from './usage-error.js';

/** Returns the choice. @throws UsageError if the text is not one of the choices. */
export function oneOf<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`${name} must be one of ${choices.join(', ')}${repeated(text, ', not ')}.`);
}
