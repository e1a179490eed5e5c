import {
  type CommandField,
  type CommandName,
  type InputOf,
  OPERATOR_COMMANDS,
  OperatorError,
} from '@partner-hiring/core';

/** The statuses that a row of the request log may have. */
export const LOGGED_STATUSES: readonly string[] = '200 201 401 403 404 405 409 413 415 422 429 500 503'.split(
  ' ',
);

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

/**
 * Returns the choice that a text is, or undefined for null.
 * @throws OperatorError `INVALID_INPUT` for another text. A list would otherwise show more than its address says.
 */
export function choiceIn<Choice extends string>(
  choices: readonly Choice[],
  text: string | null,
): Choice | undefined {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined || text === null) return found;
  throw new OperatorError(
    'INVALID_INPUT',
    'A menu has a value that this page does not know. Choose it again.',
  );
}

/** Returns the choice of a command's field that a text is, or undefined for null. Throws as `choiceIn` does. */
export function choiceOf<Name extends CommandName, Field extends keyof Given<Name> & string>(
  command: Name,
  field: Field,
  text: string | null,
): Given<Name>[Field] | undefined {
  const { choices } = fieldOfCommand(command, field);
  return choiceIn(choices, text) as Given<Name>[Field] | undefined;
}

/** Writes `in_progress` as `In progress`, and `job.opened` as `Job opened`. */
export function labelOf(choice: string): string {
  const words = choice
    .replace(/^application\./, '')
    .replaceAll('.', ' ')
    .replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
