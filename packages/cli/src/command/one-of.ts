import { UsageError } from './command-error.js';
import { didYouMean } from './did-you-mean.js';
import { repeated } from './repeated.js';

/** An error with more values than these names the similar ones only. */
const MOST_NAMED = 12;

/**
 * Returns the choice that the text is. Letter case and separators do not matter: `jobs close-all` is `jobs.closeAll`.
 * @throws UsageError if the text is not one of the choices.
 */
export function oneOfChoices<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice =
    choices.find((candidate) => candidate === text) ??
    choices.find((candidate) => lettersOf(candidate) === lettersOf(text));
  if (choice !== undefined) return choice;
  const suggestion = didYouMean(text, choices);
  const known =
    suggestion !== '' && choices.length > MOST_NAMED ? 'a known value' : `one of ${choices.join(', ')}`;
  throw new UsageError(`${name} must be ${known}${repeated(text, ', not ')}.${suggestion}`);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[\s._-]/g, '');
}
