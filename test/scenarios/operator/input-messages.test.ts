/** The messages of refused inputs, of each command and field, as `input-messages.txt` lists them. */
import { expect, it } from 'vitest';
import { OperatorError } from '../../../packages/core/src/errors.js';
import { commandsOf, createSetting, DEFINED_INPUTS, INPUTS, outcomeOf } from './every-command.js';
import { openStage } from './stage.js';

type Fields = Readonly<Record<string, unknown>>;

/** Wrong values that a host without types may pass. */
const WRONG: Readonly<Record<string, unknown>> = {
  missing: undefined,
  null: null,
  number: 7,
  fraction: 1.5,
  negative: -1,
  large: 1e15,
  true: true,
  word: 'nope',
  empty: '',
  long: 'x'.repeat(3_000),
  NUL: 'nope\0',
  list: ['nope'],
  object: { id: 'nope' },
};

/** Ends the command that waits. */
const ENDED = { signal: AbortSignal.abort(new Error('enough')) };

/** All fields of a command, with values for those that have one in `INPUTS`. */
function fieldsOf(name: string, values: Fields | undefined): Fields {
  const { fields = [] } = DEFINED_INPUTS.get(name) ?? {};
  const all = Object.fromEntries(fields.map((field) => [field.name, undefined]));
  return { ...all, ...(name === 'operations.wait' ? ENDED : undefined), ...values };
}

it('each command says which field is wrong, and what it must be', async () => {
  const stage = await openStage({ sandbox: true });
  const setting = await createSetting(stage);
  const commands = commandsOf(stage.operator);
  const messageOf = async (name: string, input: unknown) => {
    const command = commands.get(name);
    if (command === undefined) throw new Error(`Unknown command ${name}.`);
    const outcome = await outcomeOf(command, input);
    if (outcome.kind === 'answered') return null;
    const { error } = outcome;
    if (!(error instanceof OperatorError)) return String(error) === 'Error: enough' ? null : String(error);
    return error.code === 'INVALID_INPUT'
      ? error.message.replace(`${name}: `, '').replace(/ Nothing was changed\.$/, '')
      : null;
  };
  const lines: string[] = [];
  for (const [name, inputOf] of Object.entries(INPUTS)) {
    const given = inputOf(setting);
    const isList = Array.isArray(given);
    const [item] = isList ? given : [given];
    lines.push(name, ...(await describe((value) => messageOf(name, value))));
    if (typeof item === 'string') continue;
    const valid = fieldsOf(name, item as Fields | undefined);
    for (const path of [...pathsIn(valid), 'colour']) {
      const values = path === 'colour' ? { word: 'nope' } : WRONG;
      const call = (value: unknown) => {
        const input = withValue(valid, path, value);
        return messageOf(name, isList ? [input] : input);
      };
      lines.push(`${name} ${path}`, ...(await describe(call, values)));
    }
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('input-messages.txt');
});

/** Returns a line for each message, with the values that get it. Values that are accepted get none. */
async function describe(
  call: (value: unknown) => Promise<string | null>,
  values = WRONG,
): Promise<readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const [kind, value] of Object.entries(values)) {
    const message = await call(value);
    if (message !== null) kinds.set(message, [...(kinds.get(message) ?? []), kind]);
  }
  return [...kinds].map(([message, named]) => `  ${named.join(', ')}: ${message}`);
}

/** Returns the paths of all fields, such as `location.city`. Only the first item of a list counts. */
function pathsIn(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return [];
  return Object.entries(value)
    .filter(([name]) => !Array.isArray(value) || name === '0')
    .flatMap(([name, each]) => [`${at}${name}`, ...pathsIn(each, `${at}${name}.`)]);
}

/** Returns the fields with another value at the path. An `undefined` one is left out. */
function withValue(fields: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const copy = (Array.isArray(fields) ? [...fields] : { ...(fields as Fields) }) as Record<string, unknown>;
  if (rest.length > 0) copy[name] = withValue(copy[name], rest.join('.'), value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}
