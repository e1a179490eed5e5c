import {
  type CompletionSource,
  completedArguments,
  completedCommands,
  fileOptions,
  flagsOf,
  optionsWithValue,
  plainWords,
} from './completion-words.js';

/** The parts of a script that differ between bash and zsh. */
export interface ShellDialect {
  /**
   * Sets `current` to the word to complete, and `previous` to the word before it. Sets `at` to the index of the first
   * word, and `last` to that of the word to complete.
   */
  readonly setUp: string;
  /** The word with the index `at`. */
  readonly wordAt: string;
  /** Completes the name of a file. */
  readonly completeFile: string;
  /** Completes one of `$choices`. */
  readonly completeChoices: string;
}

/** The arms of a `case` statement. Bash and zsh read it alike. */
function arms(entries: readonly (readonly [patterns: string, work: string])[]): string {
  return entries.map(([patterns, work]) => `    ${patterns}) ${work} ;;`).join('\n');
}

function choose(words: readonly string[]): string {
  return `choices='${plainWords(words)}'`;
}

/** Returns the body of a completion function, for shells like bash. */
export function completionFunction(source: CompletionSource, dialect: ShellDialect): string {
  const { table, options } = source;
  const withValue = optionsWithValue(source).map((name) => `--${name}`);
  const files = fileOptions(source).map((name) => `--${name}`);
  return `  local current previous word first='' second='' commandPath='' choices=''
  local -i at last position=0
${dialect.setUp}
  while (( at < last )); do
    word="${dialect.wordAt}"
    case "$word" in
      ${withValue.join('|')}) at+=1 ;;
      -*) ;;
      *)
        if [[ -z "$first" ]]; then first="$word"
        elif [[ -z "$second" && " ${Object.keys(table.singles).join(' ')} " != *" $first "* ]]; then second="$word"
        else position+=1
        fi ;;
    esac
    at+=1
  done
  commandPath="$first"
  if [[ -n "$second" ]]; then commandPath="$first $second"; fi
  case "$commandPath $previous" in
${arms(valuesOfOptions(source))}
  esac
  if [[ -n "$choices" ]]; then ${dialect.completeChoices}; return; fi
  case "$previous" in
    ${files.join('|')}) ${dialect.completeFile}; return ;;
    ${withValue.join('|')}) return ;;
  esac
  if [[ "$current" == -* ]]; then
    case "$commandPath" in
${arms(optionsOfCommands(source))}
    esac
    choices="$choices ${[...flagsOf(options), '--help'].join(' ')}"
    ${dialect.completeChoices}
    return
  fi
  case "$commandPath:$position" in
${arms(wordsByPosition(source, dialect))}
  esac
  ${dialect.completeChoices}`;
}

function valuesOfOptions({ table }: CompletionSource): readonly (readonly [string, string])[] {
  return completedCommands(table).flatMap(({ path, command }) =>
    Object.entries(command.options ?? {}).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [[`'${path} --${name}'`, choose(choices)] as const],
    ),
  );
}

function optionsOfCommands({ table }: CompletionSource): readonly (readonly [string, string])[] {
  return completedCommands(table).flatMap(({ path, command: { options = {} } }) =>
    Object.keys(options).length === 0 ? [] : [[`'${path}'`, choose(flagsOf(options))] as const],
  );
}

/** The first word, the command of a group, or an argument. */
function wordsByPosition(
  { table: { groups, singles } }: CompletionSource,
  { completeFile }: ShellDialect,
): readonly (readonly [string, string])[] {
  const table = { groups, singles };
  const first = [...Object.keys(groups), ...Object.keys(singles)];
  return [
    ["':0'", choose(first)],
    ...Object.entries(groups).map(
      ([name, { commands }]) => [`'${name}:0'`, choose(Object.keys(commands))] as const,
    ),
    ...completedCommands(table)
      .filter(({ path }) => !Object.hasOwn(groups, path))
      .flatMap(({ path, command }) =>
        completedArguments(command).map(({ position, choices }) => {
          const work = choices === null ? `${completeFile}; return` : choose(choices);
          return [`'${path}:${position}'`, work] as const;
        }),
      ),
  ];
}
