import type { Command } from '../command/command.js';
import { type CommandOption, isSwitch } from '../command/command-option.js';
import { summaryOf } from '../command/command-words.js';
import type { Program } from '../command/commander-program.js';

/**
 * Returns the words that may stand in place of the last one, each with a tab and its summary. Empty where no words are
 * known, such as for the path of a file.
 */
export function completeWords(program: Omit<Program, 'name'>, words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  return (
    wordsAfter(program, words.slice(0, -1), last.startsWith('-'))
      // The shells would take others, such as `applicationFormAnswers.*`, for a pattern.
      .filter(([word]) => word.startsWith(last) && /^[\w.-]+$/.test(word))
      .map(([word, summary = '']) => `${word}\t${summary}`)
  );
}

function wordsAfter(
  { table, globals }: Omit<Program, 'name'>,
  before: readonly string[],
  isOption: boolean,
): readonly (readonly [word: string, summary?: string])[] {
  const { groups, singles } = table;
  const all = [singles, ...Object.values(groups).map((each) => each.commands)].flatMap(
    Object.values<Command>,
  );
  const options = [globals, ...all.map((each) => each.options ?? {})].flatMap(Object.entries<CommandOption>);
  const valued = options.flatMap(([name, option]) => (isSwitch(option) ? [] : [`--${name}`]));
  const isValue = (index: number) => valued.includes(before[index - 1] ?? '');
  const [first = '', second] = before.filter((word, index) => !word.startsWith('-') && !isValue(index));
  const group = Object.entries(groups).find(([name]) => name === first)?.[1];
  const commands = Object.entries<Command>(group?.commands ?? singles);
  const typed = group === undefined ? first : (second ?? group.standard);
  const command = commands.find(([name]) => name === typed)?.[1];

  if (isValue(before.length)) {
    const option = command?.options?.[before.at(-1)?.slice(2) ?? ''];
    return (option?.choices ?? []).map((word) => [word]);
  }
  if (isOption) {
    const offered = Object.entries({ ...command?.options, ...globals });
    return offered.map(([name, { summary }]) => [`--${name}`, summary]);
  }
  if (first === '') {
    return Object.entries({ ...groups, ...singles }).map(([name, each]) => [name, summaryOf(each)]);
  }
  if (group !== undefined && second === undefined) {
    return commands.map(([name, each]) => [name, summaryOf(each)]);
  }
  const choices = (command?.arguments ?? []).flatMap((each) =>
    typeof each === 'string' ? [] : (each.choices ?? []),
  );
  return choices.map((word) => [word]);
}
