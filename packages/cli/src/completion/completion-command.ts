import type { Command, StandaloneCommand } from '../command/command.js';
import { type CommandOption, isSwitch } from '../command/command-option.js';
import { summaryOf } from '../command/command-words.js';
import type { Program } from '../command/commander-program.js';

const BASH = `_partner_hiring() {
  local IFS=$'\\n'
  COMPREPLY=( $(partner-hiring complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1) )
}
complete -o default -F _partner_hiring partner-hiring`;

const ZSH = `_partner_hiring() {
  local -a found=( \${(f)"$(partner-hiring complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"} )
  if (( $#found )); then found=( "\${(@)found/$'\\t'/:}" ); _describe word found; else _files; fi
}
compdef _partner_hiring partner-hiring`;

const FISH = `function __partner_hiring
  set -l typed (commandline -ct)
  set -l found (partner-hiring complete (commandline -opc)[2..-1] "$typed" 2>/dev/null)
  if set -q found[1]; printf '%s\\n' $found; else; __fish_complete_path "$typed"; end
end
complete -c partner-hiring -f -a '(__partner_hiring)'`;

/** Each script asks `partner-hiring complete` for words. If it prints none, the shell completes the names of files. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

/** The command `completion`. */
export const completion: StandaloneCommand = {
  summary: 'Prints a script that completes commands in your shell',
  arguments: [{ name: 'shell', choices: SHELLS }],
  runAlone: async (input) => {
    const script = SCRIPTS[input.choice('shell', SHELLS)];
    return { text: script, value: script };
  },
};

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
