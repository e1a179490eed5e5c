import type { Command } from '../command/command.js';
import { type CommandOption, isSwitch } from '../command/command-option.js';
import { summaryOf } from '../command/command-words.js';
import { type CompletionSource, completedArguments, plainWords } from './completion-words.js';

/** Returns the completion of fish, which also shows the summaries. */
export function fishCompletion({ programName, table, options }: CompletionSource): string {
  const { groups, singles } = table;
  const lines = [
    ...Object.entries(options).map(([name, option]) => optionLine(name, option)),
    ...Object.entries(groups).flatMap(([group, { summary, commands }]) => [
      wordLine(FIRST_WORD, group, summary),
      ...Object.entries(commands).flatMap(([verb, command]) => [
        wordLine(`${seen(group)}; and not ${seen(...Object.keys(commands))}`, verb, summaryOf(command)),
        ...commandLines(`${seen(group)}; and ${seen(verb)}`, command),
      ]),
    ]),
    ...Object.entries(singles).flatMap(([name, command]) => [
      wordLine(FIRST_WORD, name, summaryOf(command)),
      ...commandLines(seen(name), command),
    ]),
  ];
  return [
    `# Completion of ${programName} for fish. Load it with: ${programName} completion fish | source`,
    ...lines.map((line) => `complete -c ${programName} ${line}`),
  ].join('\n');
}

const FIRST_WORD = '__fish_use_subcommand';

function seen(...words: readonly string[]): string {
  return `__fish_seen_subcommand_from ${words.join(' ')}`;
}

function commandLines(condition: string, command: Command): readonly string[] {
  const choices = completedArguments(command).flatMap((argument) => argument.choices ?? []);
  const when = `-n ${quoted(condition)}`;
  return [
    ...(choices.length === 0 ? [] : [`${when} -f -a ${quoted(plainWords(choices))}`]),
    ...Object.entries(command.options ?? {}).map(([name, option]) => `${when} ${optionLine(name, option)}`),
  ];
}

function wordLine(condition: string, word: string, summary: string): string {
  return `-n ${quoted(condition)} -f -a ${word} -d ${quoted(summary)}`;
}

function optionLine(name: string, option: CommandOption): string {
  return `-l ${name}${optionValue(option)} -d ${quoted(option.summary)}`;
}

function optionValue(option: CommandOption): string {
  if (isSwitch(option)) return '';
  if (option.isFile === true) return ' -r -F';
  return option.choices === undefined ? ' -x' : ` -x -a ${quoted(plainWords(option.choices))}`;
}

/** Quotes a text for fish. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
