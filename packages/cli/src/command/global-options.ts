import type { CommandOption, OptionValues } from './command-option.js';

/** Options that a program shares between all its commands, by name. */
export type GlobalOptions = Readonly<Record<string, CommandOption>>;

/** The options of every program. */
export const COMMON_OPTIONS = {
  json: { summary: 'Print JSON' },
  as: { value: 'NAME', summary: 'Who acts, for the audit (default: host)' },
  reason: { value: 'TEXT', summary: 'Why, for the audit; with --as' },
  reveal: { summary: 'Show personal data, which the audit records; with --as and --reason' },
  debug: { summary: 'Show the stack of an unexpected error, and warnings of the database' },
} as const satisfies GlobalOptions;

/** Returns the text of an option; undefined if it is not set. */
export function globalText(globals: OptionValues, name: string): string | undefined {
  const value = globals[name];
  return typeof value === 'string' ? value : undefined;
}
