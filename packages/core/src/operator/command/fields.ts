import * as z from 'zod';
import { describeIdForm, ID_PREFIXES, type IdKind, type IdOf, isIdOf } from '../../domain/ids.js';
import { NAME_MAX_LENGTH } from '../../domain/job.js';
import {
  DEFAULT_OVERLAP_MS,
  type Environment,
  isOverlapAllowed,
  OVERLAP_LIMIT_HOURS,
  SECRET_PREFIXES,
} from '../../domain/partner-key.js';
import { hasAtMost, isPlainLine, isStorableText } from '../../domain/text.js';
import { HOUR_MS, type Instant } from '../../domain/time.js';
import type { UrlPolicy } from '../scope.js';
import { type CommandField, withSummary, withValues } from './command-field.js';
import { type BrokenRule, enforce, type Field, InputProblem, markId, type Rules } from './input.js';

/** The fields of inputs. */

/** A value that passes a test. The rule completes a sentence that starts with the name of the field. */
export function value<Value>(
  isValid: (value: unknown) => boolean,
  rule: string,
  kind: CommandField['kind'] = 'value',
): Field<Value> {
  return withValues(z.custom<Value>(isValid, { error: rule }), { kind });
}

/** A field that may be omitted or `undefined`. The summary says what it selects or does. */
export function optional<Value>(field: Field<Value>, summary?: string): z.ZodOptional<Field<Value>> {
  return withSummary(field.optional(), summary);
}

/** A field that may be null. */
export function orNull<Value>(field: Field<Value>): Field<Value | null> {
  return field.nullable();
}

/** A field that counts as omitted if it is null. */
export function nullIsOmitted<Value>(field: Field<Value>, summary?: string): z.ZodOptional<Field<Value>> {
  return optional(field.nullable() as z.ZodType as Field<Value>, summary);
}

const isText = (value: unknown) => typeof value === 'string';

/** An id. The field does not check whether the object exists. */
export function id<Kind extends IdKind>(kind: Kind): Field<IdOf<Kind>> {
  return anyId(kind, isText);
}

/** An id that may be omitted. Null counts as omitted. */
export function optionalId<Kind extends IdKind>(
  kind: Kind,
  summary = `Only those of this ${kind}`,
): z.ZodOptional<Field<IdOf<Kind>>> {
  return optional(
    anyId(kind, (given) => given === null || isText(given)),
    summary,
  );
}

function anyId<Kind extends IdKind>(kind: Kind, isValid: (given: unknown) => boolean): Field<IdOf<Kind>> {
  const field = markId(value<IdOf<Kind>>(isValid, 'must be text'));
  return withValues(field, { kind: 'id', idOf: kind });
}

/** An id that the host may have chosen, with the prefix of its kind. */
export function prefixedId<Kind extends IdKind>(kind: Kind): Field<IdOf<Kind>> {
  return value<IdOf<Kind>>(
    (id) => typeof id === 'string' && isIdOf(kind, id),
    `must be ${describeIdForm(kind)}`,
  );
}

/** An id for a new object, that may be omitted. */
export function newId<Kind extends IdKind>(kind: Kind): z.ZodOptional<Field<IdOf<Kind>>> {
  return optional(
    withValues(prefixedId(kind), { kind: 'id', idOf: kind }),
    `Your own id, which starts with ${ID_PREFIXES[kind]}`,
  );
}

/** Returns whether the value is text that a database can store, with at most `maxLength` code points. */
export function isTextUpTo(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && isStorableText(value) && hasAtMost(value, maxLength);
}

/**
 * Returns whether the value is a line that is safe to show to others: no character controls a terminal or reorders the
 * text.
 */
function isLine(value: unknown, maxLength: number): value is string {
  return isTextUpTo(value, maxLength) && isPlainLine(value);
}

const LINE_RULE = 'without control characters, bidirectional overrides or lone surrogates';

/** A line that may be empty. */
export function line(maxLength: number): Field<string> {
  const rule = `must be text of at most ${maxLength} characters, or empty, ${LINE_RULE}`;
  return value((given) => isLine(given, maxLength), rule, 'text');
}

/** A line that is not blank. */
export function name(maxLength = NAME_MAX_LENGTH): Field<string> {
  const rule = `must be text of 1 to ${maxLength} characters, not blank, ${LINE_RULE}`;
  return value((given) => isLine(given, maxLength) && given.trim() !== '', rule, 'text');
}

/** Text that a command compares with what it finds. */
export function text(): Field<string> {
  return value(isText, 'must be text', 'text');
}

export function oneOf<const Choices extends readonly string[]>(choices: Choices): Field<Choices[number]> {
  const isChoice = (given: unknown) => choices.some((choice) => choice === given);
  const field = value<Choices[number]>(isChoice, `must be one of ${choices.join(', ')}`);
  return withValues(field, { kind: 'choice', choices });
}

/** One value. */
export function only<const Value extends string | boolean>(expected: Value): Field<Value> {
  const kind = expected === true ? 'flag' : 'value';
  return value((given) => given === expected, `must be ${expected}`, kind);
}

export const ENVIRONMENTS = Object.keys(SECRET_PREFIXES) as readonly Environment[];

export const environment: Field<Environment> = oneOf(ENVIRONMENTS);

export const flag: Field<boolean> = value(
  (given) => typeof given === 'boolean',
  'must be true or false',
  'flag',
);

/** An integer of a range. */
export function integer(min: number, max: number): Field<number> {
  const fits = (given: unknown) => Number.isInteger(given) && Number(given) >= min && Number(given) <= max;
  return value(
    (given) => typeof given === 'number' && fits(given),
    `must be an integer from ${min} to ${max}`,
    'number',
  );
}

const INSTANT_RULE = 'must be an instant: integer milliseconds since 1970';

function anyInstant(): Field<Instant> {
  return value((given) => Number.isSafeInteger(given) && Number(given) >= 0, INSTANT_RULE, 'instant');
}

export const instant = anyInstant();

const SINCE_SUMMARY = 'Start, inclusive, e.g. 2026-01-31T09:00Z';

/** The start of a time range that must have one. */
export const since = withSummary(anyInstant(), SINCE_SUMMARY);

/** A duration in milliseconds: a week at most. */
export function durationMs(): Field<number> {
  return value(
    (given) => typeof given === 'number' && Number.isInteger(given) && isOverlapAllowed(given),
    `must be an integer number of milliseconds, from 0 to ${OVERLAP_LIMIT_HOURS} hours`,
    'duration',
  );
}

/** The fields of both rotations: of a key's secret, and of a signing secret. */
export const rotation = {
  overlapMs: optional(
    durationMs(),
    `How long the old secret still works: 0 to ${OVERLAP_LIMIT_HOURS} hours, default ${DEFAULT_OVERLAP_MS / HOUR_MS}`,
  ),
  ifCurrent: optional(text(), 'Only if this is still the current secret'),
};

/** A list of values of one field. The rule says how many values the list may have. */
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
  'number',
);

/** Returns the limit of a list. */
export function limitOf(limit: number | undefined): number {
  return limit ?? LIST_LIMIT.default;
}

const LIMIT_SUMMARY = `1 to ${LIST_LIMIT.max}, default ${LIST_LIMIT.default}`;

/** The fields of a list that has pages. */
export const page = {
  cursor: optional(
    value<string>(isText, 'must be the `nextCursor` of a page with the same filter', 'text'),
    'The cursor of the next page',
  ),
  limit: optional(limit, LIMIT_SUMMARY),
};

/** The fields of a time range. */
export const range = {
  since: optional(instant, SINCE_SUMMARY),
  until: optional(instant, 'End, exclusive'),
};

/** The fields of a timeline. */
export const timeline = { ...range, limit: optional(limit, LIMIT_SUMMARY) };

/** The field `dryRun`, for commands that can be tried without an effect. */
export const dryRun = optional(flag, 'Changes nothing, and counts what would change');

/** Returns a valid URL in its normal form: percent-encoded, without control characters and blanks around it. */
export function storedUrl(url: string): string {
  return new URL(url).href;
}

/** Common servers and proxies reject longer URLs. */
const URL_MAX_LENGTH = 2048;

/** The URL of an endpoint. `assertAllowedUrl` checks its scheme. */
export const url: Field<string> = value(
  (given) =>
    isTextUpTo(given, URL_MAX_LENGTH) && URL.canParse(given) && storedUrl(given).length <= URL_MAX_LENGTH,
  `must be an absolute URL of at most ${URL_MAX_LENGTH} characters, also when it is percent-encoded`,
  'text',
);

const USE_HTTP_IN_DEVELOPMENT =
  'for development, createPartnerHiring takes `allowPrivateNetworks: true`, which allows http and private addresses';

/** @throws InputProblem if the scheme is not allowed, or if the URL contains credentials. */
export function assertAllowedUrl(given: string, field: string, { allowPlainHttp }: UrlPolicy): void {
  const { protocol, username, password } = new URL(given);
  const isHttp = protocol === 'http:';
  const problems: string[] = [];
  if (protocol !== 'https:' && !(allowPlainHttp && isHttp)) problems.push(schemeRule(allowPlainHttp, isHttp));
  if (username !== '' || password !== '') problems.push('must not contain credentials');
  if (problems.length > 0) throw new InputProblem(...problems.map((rule) => `${field} ${rule}`));
}

function schemeRule(allowPlainHttp: boolean, isHttp: boolean): string {
  if (allowPlainHttp) return 'must be https or http';
  return isHttp ? `must be https (${USE_HTTP_IN_DEVELOPMENT})` : 'must be https';
}

/** Returns the rule as broken if two items have the same key. */
export function distinctBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
  rule: string,
): readonly BrokenRule[] {
  return new Set(items.map(keyOf)).size === items.length ? [] : [{ rule }];
}
