import { Command, CommanderError } from 'commander';

/** Returns ` Did you mean …?` if commander finds a known word that is like the typed one. Otherwise an empty text. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const program = new Command().helpOption(false).helpCommand(false).exitOverride();
  program.configureOutput({ writeErr: () => {} });
  for (const word of known) program.command(word);
  try {
    program.parse([typed], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return suggestionOf(error);
    throw error;
  }
  return '';
}

/** Returns the suggestion of commander's error, such as ` Did you mean close?`, or an empty text. */
export function suggestionOf({ message }: CommanderError): string {
  const [, suggestion] = /\((Did you mean [^()]*\?)\)$/.exec(message) ?? [];
  return suggestion === undefined ? '' : ` ${suggestion}`;
}
