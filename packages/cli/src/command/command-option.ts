/** An argument: its name, also with what its value may be. */
export type CommandArgument =
  | string
  | {
      readonly name: string;
      /** The values that the argument may have. */
      readonly choices?: readonly string[];
      /** Whether it takes all words that are left, at least one. Only the last argument may. */
      readonly isList?: boolean;
    };

/** An option of a command. */
export interface CommandOption {
  readonly summary: string;
  /** The placeholder of the option's value in the help. A switch has neither this nor choices. */
  readonly value?: string;
  /** The values that the option may have. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. Its value is then all of them, separated by spaces. */
  readonly isRepeatable?: boolean;
}

/** The values of arguments or options, by name. A switch that is set is true. An option that is not set is undefined. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Returns the name of an argument. */
export function argumentName(argument: CommandArgument): string {
  return typeof argument === 'string' ? argument : argument.name;
}

/** Returns whether the option takes no value. */
export function isSwitch({ value, choices }: CommandOption): boolean {
  return value === undefined && choices === undefined;
}

/** Returns what the help shows in place of the option's value. */
export function placeholderOf({ value, choices }: CommandOption): string {
  return value ?? choices?.join('|') ?? '';
}
