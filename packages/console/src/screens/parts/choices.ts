import { type CommandField, type CommandName, type InputOf, OPERATOR_COMMANDS } from '@partner-hiring/core';

type Given<Name extends CommandName> = NonNullable<InputOf<Name>>;

/** Returns a field of a command's input. The name may lack the `Id` at its end. */
export function fieldOfCommand(command: CommandName, field: string): CommandField {
  const { fields = [] } = OPERATOR_COMMANDS.find(({ name }) => name === command) ?? {};
  const found = fields.find(({ name }) => name === field || name === `${field}Id`);
  if (found === undefined) throw new Error(`${command} has no field ${field}.`);
  return found;
}

/** Returns the choices of a command's field, with their labels. */
export function choicesOf<Name extends CommandName>(
  command: Name,
  field: keyof Given<Name> & string,
): readonly (readonly [value: string, label: string])[] {
  return fieldOfCommand(command, field).choices.map((choice) => [choice, labelOf(choice)]);
}

/** Returns the choice that a text is, or undefined. */
export function choiceOf<Name extends CommandName, Field extends keyof Given<Name> & string>(
  command: Name,
  field: Field,
  text: string | null,
): Given<Name>[Field] | undefined {
  const { choices } = fieldOfCommand(command, field);
  return choices.find((choice) => choice === text) as Given<Name>[Field] | undefined;
}

/** Writes `in_progress` as `In progress`, and `job.opened` as `Job opened`. */
export function labelOf(choice: string): string {
  const words = choice
    .replace(/^application\./, '')
    .replaceAll('.', ' ')
    .replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
