import * as z from 'zod';
import { isStorableText, toStorableText } from '../../domain/text.js';
import { OperatorError } from '../../errors.js';
import { yieldToEventLoop } from '../event-loop.js';
import { type CommandField, factsOf, unwrapped } from './command-field.js';

const PROBLEMS_NAMED = 10;

/**
 * Thrown if the input of a command is not valid. The message is the name of the field and the rule, such as `limit must
 * be an integer`. The host gets the problem as an `OperatorError` with the name of the command.
 */
export class InputProblem extends Error {
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

/** Returns the error for the host if the error is an `InputProblem`, and other errors as they are. */
export function namedError(command: string, error: unknown): unknown {
  if (!(error instanceof InputProblem)) return error;
  const { problems } = error;
  const named = problems.slice(0, PROBLEMS_NAMED).join('; ');
  const rest = problems.length - PROBLEMS_NAMED;
  const text = `${command}: ${named}${rest > 0 ? `; and ${rest} more` : ''}`;
  return new OperatorError('INVALID_INPUT', `${text.replace(/\.$/, '')}. Nothing was changed.`);
}

/** @throws InputProblem if more than one of the values is given. */
export function assertNotCombined(values: Readonly<Record<string, unknown>>, fix: string): void {
  const given = Object.keys(values).filter((name) => (values[name] ?? undefined) !== undefined);
  if (given.length < 2) return;
  throw new InputProblem(`${given.map((name) => `\`${name}\``).join(' and ')} cannot be combined. ${fix}`);
}

/**
 * The values of a field. The messages of the schema are rules such as `must be text`. The path of the field is put
 * before the rule.
 */
export type Field<Value> = z.ZodType<Value>;

/** Fields by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** The value of an object with these fields. */
export type ValueOf<Fields extends Shape> = z.output<z.ZodObject<Fields, z.core.$strict>>;

/** A broken rule about several fields. `at` is the path of the field that the message names. */
export interface BrokenRule {
  readonly at?: readonly (string | number)[];
  readonly rule: string;
}

/** Returns the broken rules about several fields. Called only if each field alone is valid. */
export type Rules<Value> = (value: Value) => readonly BrokenRule[];

type Atom = string | number | boolean | null | undefined | ((...args: never[]) => unknown) | AbortSignal;

/** A value with all of its optional fields. */
type Full<Value> = Value extends Atom
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly Full<Item>[]
    : { readonly [Name in keyof Value]-?: Full<Exclude<Value[Name], undefined>> };

/** The input of a command. `Value` equals the type of the command's parameter, in both directions. */
export interface Input<Value, All = Full<Value>> {
  /** The fields of the input. If the input may be a list, the fields of its items. */
  readonly fields: readonly CommandField[];
  /** The names of required ids. */
  readonly ids: readonly string[];
  /**
   * Returns the caller's own object, with all of its fields. Returns `{}` if the input may be omitted and was omitted.
   * @throws InputProblem
   */
  check(input: unknown): unknown;
  /**
   * Exists only as a type: it compiles only if the definition has the fields of the interface, as required or optional
   * ones.
   */
  readonly takes?: (value: Value) => Value;
  /** Exists only as a type: it compiles only if the definition has no other fields. */
  readonly takesAll?: (value: All) => All;
}

/** An object that may have only these fields. */
export function object<Fields extends Shape>(
  fields: Fields,
  rules?: Rules<ValueOf<Fields>>,
): Field<ValueOf<Fields>> {
  const names = Object.keys(fields).join(', ');
  const schema = z.strictObject(fields, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is unknown: a name must be one of ${names}` : 'must be an object',
  });
  return rules === undefined ? schema : schema.check(enforce(rules));
}

/** Reports broken rules. */
export function enforce<Value>(rules: Rules<Value>): z.core.CheckFn<Value> {
  return ({ value, issues }) => {
    for (const { at = [], rule } of rules(value)) {
      issues.push({ code: 'custom', input: value, path: [...at], message: rule });
    }
  };
}

const IDS = new WeakSet<z.ZodType>();

/** Marks a field as an id. A text that no database can store then counts as an unknown id. */
export function markId<Value>(field: Field<Value>): Field<Value> {
  IDS.add(field);
  return field;
}

/** An input with these fields. */
export function record<Fields extends Shape>(
  fields: Fields,
  rules?: Rules<ValueOf<Fields>>,
  whole = 'the input',
): Input<ValueOf<Fields>> {
  const schema = object(fields, rules);
  const ids = idsIn(fields);
  return {
    ...requiredOf(fields, ids),
    check: (input) => {
      assertValid(schema, input, '', whole);
      return withStorableIds(ids, input);
    },
  };
}

/** An input with these fields that may be omitted as a whole. */
export function filter<Fields extends Shape>(
  fields: Fields,
  rules?: Rules<ValueOf<Fields>>,
): Input<ValueOf<Fields> | undefined> {
  const given = record(fields, rules);
  return { fields: given.fields, ids: given.ids, check: (input) => given.check(input ?? {}) };
}

type NamesIn<Value> = Value extends unknown ? keyof Value : never;

/** The value of a field in those members of a union that have it. */
type InMember<Value, Name extends PropertyKey> = Value extends { readonly [Key in Name]?: infer Each }
  ? Each
  : never;

/** An input that is a union of objects. The fields are those of all members, and the rules tell the members apart. */
export function either<Value>() {
  return <Fields extends { readonly [Name in NamesIn<Value>]: Field<InMember<Value, Name> | undefined> }>(
    fields: Fields & { readonly [Name in Exclude<keyof Fields, NamesIn<Value>>]: never },
    rules: Rules<ValueOf<Fields & Shape>>,
  ): Input<Value> => {
    const { fields: known, ids, check } = record(fields as Fields & Shape, rules);
    return { fields: known, ids, check };
  };
}

/** No input. The command ignores values that are not objects. */
export function nothing(): Input<unknown> {
  return {
    fields: [],
    ids: [],
    check: (input) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return {};
      const unknown = Object.keys(input).map(
        (name) => `${shortened(name)} is unknown: this command takes no options`,
      );
      if (unknown.length > 0) throw new InputProblem(...unknown);
      return {};
    },
  };
}

/** An input that is one value, such as a list of ids. */
export function single<Value>(name: string, field: Field<Value>): Input<Value> {
  return {
    fields: [],
    ids: [],
    check: (input) => {
      assertValid(field, input, name);
      return input;
    },
  };
}

/** About ten milliseconds of work. */
const ITEMS_PER_TURN = 500;

/** The rules of a list of objects. */
export interface ListRules<Fields extends Shape> {
  /** The name of the list in messages. */
  readonly name: string;
  readonly rule: string;
  readonly max?: number;
  readonly itemRules?: Rules<ValueOf<Fields>>;
  readonly rules?: Rules<readonly ValueOf<Fields>[]>;
}

/** A list of objects. Long lists are checked in batches, so that requests run in between. */
export function list<Fields extends Shape>(
  fields: Fields,
  { name, rule, max = Number.POSITIVE_INFINITY, itemRules, rules = () => [] }: ListRules<Fields>,
): Input<readonly ValueOf<Fields>[]> {
  const schema = object(fields, itemRules);
  const ids = idsIn(fields);
  const check = async (input: unknown) => {
    if (!Array.isArray(input)) throw new InputProblem(`${name} must be a list of objects, ${rule}`);
    if (input.length > max) throw new InputProblem(`${name} must be a list of at most ${max} ${name}`);
    const items: unknown[] = [];
    const problems: string[] = [];
    for (let index = 0; index < input.length; index += 1) {
      if (index % ITEMS_PER_TURN === 0 && index > 0) await yieldToEventLoop();
      const item: unknown = input[index];
      problems.push(...problemsOf(schema, item, `${name}[${index}]`));
      if (problems.length === 0) items.push(withStorableIds(ids, item));
    }
    if (problems.length === 0) {
      problems.push(
        ...rules(input as ValueOf<Fields>[]).map((broken) => describe(name, broken.at ?? [], broken.rule)),
      );
    }
    if (problems.length > 0) throw new InputProblem(...problems);
    return items.some((item, index) => item !== input[index]) ? items : input;
  };
  return { ...requiredOf(fields, ids), check };
}

function requiredOf(shape: Shape, ids: readonly string[]): Pick<Input<unknown>, 'fields' | 'ids'> {
  const fields = factsOf(shape);
  const required = fields.filter(({ name, isRequired }) => isRequired && ids.includes(name));
  return { fields, ids: required.map(({ name }) => name) };
}

function idsIn(fields: Shape): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => (IDS.has(unwrapped(field)) ? [name] : []));
}

function assertValid(schema: z.ZodType, input: unknown, at: string, whole?: string): void {
  const problems = problemsOf(schema, input, at, whole);
  if (problems.length > 0) throw new InputProblem(...problems);
}

/**
 * Returns what is wrong with an input. Empty if it is valid. Unknown names come first: a misspelled name explains why
 * another one is missing.
 */
export function problemsOf(
  schema: z.ZodType,
  input: unknown,
  at: string,
  whole = 'the input',
): readonly string[] {
  const { error } = schema.safeParse(input);
  if (error === undefined) return [];
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => describe(at, [...issue.path, shortened(name)], issue.message, whole))
      : [],
  );
  const wrong = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? [] : [describe(at, issue.path, issue.message, whole)],
  );
  return [...unknown, ...wrong];
}

/** Writes paths such as `jobs[1].location.city`. */
function describe(at: string, path: readonly PropertyKey[], rule: string, whole = 'the input'): string {
  const field = path.reduce<string>((prefix, step) => {
    if (typeof step === 'number') return `${prefix}[${step}]`;
    return prefix === '' ? String(step) : `${prefix}.${String(step)}`;
  }, at);
  return `${field === '' ? whole : field} ${rule}`;
}

const NAME_MAX_LENGTH = 500;

function shortened(name: string): string {
  return name.slice(0, NAME_MAX_LENGTH);
}

/** Replaces ids with a NUL or a lone surrogate by unknown ids: PostgreSQL would abort the transaction. */
function withStorableIds(ids: readonly string[], input: unknown): unknown {
  const fields = input as Readonly<Record<string, unknown>>;
  const replaced = ids.flatMap((name) => {
    const id = fields[name];
    return typeof id === 'string' && !isStorableText(id) ? [[name, toStorableText(id)] as const] : [];
  });
  return replaced.length === 0 ? input : { ...fields, ...Object.fromEntries(replaced) };
}
