/** The fields of inputs. */
import { z } from 'zod';
import { ID_PREFIXES, type IdKind, type IdOf, isIdOf } from '../../domain/ids.js';
import {
  type Environment,
  isOverlapAllowed,
  OVERLAP_LIMIT_HOURS,
  SECRET_PREFIXES,
} from '../../domain/partner-key.js';
import { isPlainLine, isStorableText } from '../../domain/text.js';
import type { Instant } from '../../domain/time.js';
import { enforce, type Field, markId, type Rules } from './input.js';

/** A value that passes a test. The rule completes a sentence that starts with the name of the field. */
export function value<Value>(isValid: (value: unknown) => boolean, rule: string): Field<Value> {
  return z.custom<Value>(isValid, { error: rule });
}

/** A field that may be omitted or `undefined`. */
export function optional<Value>(field: Field<Value>): z.ZodOptional<Field<Value>> {
  return field.optional();
}

/** A field that may be null. */
export function orNull<Value>(field: Field<Value>): Field<Value | null> {
  return field.nullable();
}

/** A field that counts as omitted if it is null. */
export function nullIsOmitted<Value>(field: Field<Value>): z.ZodOptional<Field<Value>> {
  return (field.nullable() as z.ZodType as Field<Value>).optional();
}

const isText = (value: unknown) => typeof value === 'string';

/** An id that exists or not. */
export function id<Kind extends IdKind>(_kind: Kind): Field<IdOf<Kind>> {
  return markId(value<IdOf<Kind>>(isText, 'must be text'));
}

/** An id that may be omitted. Null counts as omitted. */
export function optionalId<Kind extends IdKind>(_kind: Kind): z.ZodOptional<Field<IdOf<Kind>>> {
  return markId(value<IdOf<Kind>>((given) => given === null || isText(given), 'must be text')).optional();
}

/** An id for a new object, that may be omitted. */
export function newId<Kind extends IdKind>(kind: Kind): z.ZodOptional<Field<IdOf<Kind>>> {
  const rule = `must be ${ID_PREFIXES[kind]} followed by 1 to 120 characters of A-Z a-z 0-9 _ -`;
  return value<IdOf<Kind>>((id) => typeof id === 'string' && isIdOf(kind, id), rule).optional();
}

/** Returns whether the value is text that a database can store, with at most `maxLength` code points. */
export function isTextUpTo(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || !isStorableText(value)) return false;
  return value.length <= maxLength || [...value].length <= maxLength;
}

/** Returns whether the value is a line that is shown to others: it steers no terminal and does not reorder what is shown. */
function isLine(value: unknown, maxLength: number): value is string {
  return isTextUpTo(value, maxLength) && isPlainLine(value);
}

const LINE_RULE = 'without control characters, bidirectional overrides or lone surrogates';

/** A line that may be empty. */
export function line(maxLength: number): Field<string> {
  const rule = `must be text of at most ${maxLength} characters, or empty, ${LINE_RULE}`;
  return value((given) => isLine(given, maxLength), rule);
}

const NAME_MAX_LENGTH = 500;

/** A line that is not blank. */
export function name(maxLength = NAME_MAX_LENGTH): Field<string> {
  const rule = `must be text of 1 to ${maxLength} characters, not blank, ${LINE_RULE}`;
  return value((given) => isLine(given, maxLength) && given.trim() !== '', rule);
}

/** Text that a command compares with what it finds. */
export function text(): Field<string> {
  return value(isText, 'must be text');
}

export function oneOf<const Choices extends readonly string[]>(choices: Choices): Field<Choices[number]> {
  return value((given) => choices.some((choice) => choice === given), `must be one of ${choices.join(', ')}`);
}

/** One value. */
export function only<const Value extends string | boolean>(expected: Value): Field<Value> {
  return value((given) => given === expected, `must be ${expected}`);
}

export const ENVIRONMENTS = Object.keys(SECRET_PREFIXES) as readonly Environment[];

export const environment: Field<Environment> = oneOf(ENVIRONMENTS);

export const flag: Field<boolean> = value((given) => typeof given === 'boolean', 'must be true or false');

/** An integer of a range. */
export function integer(min: number, max: number): Field<number> {
  const fits = (given: unknown) => Number.isInteger(given) && Number(given) >= min && Number(given) <= max;
  return value(
    (given) => typeof given === 'number' && fits(given),
    `must be an integer from ${min} to ${max}`,
  );
}

const INSTANT_RULE = 'must be an instant: integer milliseconds since 1970';

export const instant: Field<Instant> = value(
  (given) => Number.isSafeInteger(given) && Number(given) >= 0,
  INSTANT_RULE,
);

/** How long an old secret still works, in milliseconds. */
export const overlapMs: Field<number> = value(
  (given) => typeof given === 'number' && Number.isInteger(given) && isOverlapAllowed(given),
  `must be an integer number of milliseconds, from 0 to ${OVERLAP_LIMIT_HOURS} hours`,
);

/** A list of values of one field. The rule says how many. */
export function listField<Value>(
  field: Field<Value>,
  { min = 0, max, rule, rules = () => [] }: ListRules<Value>,
): Field<readonly Value[]> {
  const sized = value<Value[]>(
    (given) => Array.isArray(given) && given.length >= min && given.length <= max,
    rule,
  );
  return (sized as z.ZodType).pipe(z.array(field)).check(enforce<readonly Value[]>(rules)) as Field<
    readonly Value[]
  >;
}

interface ListRules<Value> {
  readonly min?: number;
  readonly max: number;
  readonly rule: string;
  readonly rules?: Rules<readonly Value[]>;
}

export const LIST_LIMIT = { default: 100, max: 1000 } as const;

const limit = value<number>(
  (given) =>
    given === null ||
    (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= LIST_LIMIT.max),
  `must be an integer from 1 to ${LIST_LIMIT.max}`,
);

/** Returns the limit of a list. */
export function limitOf(limit: number | undefined): number {
  return limit ?? LIST_LIMIT.default;
}

/** The fields of a list that has pages. */
export const page = {
  cursor: optional(value<string>(isText, 'must be the `nextCursor` of a page with the same filter')),
  limit: optional(limit),
};

/** The fields of a time range. */
export const range = { since: optional(instant), until: optional(instant) };

/** The fields of a timeline. */
export const timeline = { ...range, limit: optional(limit) };
