import { ID_PREFIXES, type IdKind, isIdOf } from '../../domain/ids.js';
import { isOverlapAllowed, OVERLAP_LIMIT_HOURS } from '../../domain/partner-key.js';
import { isStorableText } from '../../domain/text.js';
import { OperatorError } from '../../errors.js';

/** Collects what is wrong with a command's input, so that the host reads all of it at once. */
export interface Inspection {
  /** Notes that the field breaks a rule, unless `holds`. The rule reads on from the field's name. */
  expect(holds: boolean, field: string, rule: string): void;
  /** @throws OperatorError `INVALID_INPUT`, naming every field that broke a rule. */
  end(): void;
}

/** Enough to see the pattern when a bulk command is wrong throughout. */
const PROBLEMS_NAMED = 10;

/** Inspects the input of a command, e.g. `jobs.publish`. */
export function inspect(command: string): Inspection {
  const problems: string[] = [];
  return {
    expect(holds, field, rule) {
      if (!holds) problems.push(`${field} ${rule}`);
    },
    end() {
      if (problems.length === 0) return;
      const named = problems.slice(0, PROBLEMS_NAMED).join('; ');
      const rest = problems.length - PROBLEMS_NAMED;
      throw new OperatorError(
        'INVALID_INPUT',
        `${command}: ${named}${rest > 0 ? `; and ${rest} more` : ''}. Nothing was changed.`,
      );
    },
  };
}

/**
 * Whether a value is text of at most `maxLength` code points that every database stores alike: no NUL, no
 * lone surrogate.
 */
export function isText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || !isStorableText(value)) return false;
  return value.length <= maxLength || [...value].length <= maxLength;
}

/** Names and titles: room for anything a person would write, none for a document. */
const NAME_MAX_LENGTH = 500;

/** Checks a name, a title, a label: text that is not blank. */
export function inspectName(
  inspection: Inspection,
  value: unknown,
  field: string,
  maxLength = NAME_MAX_LENGTH,
): void {
  const rule = `must be text of 1 to ${maxLength} characters, not blank, without NUL or lone surrogates`;
  inspection.expect(isText(value, maxLength) && value.trim() !== '', field, rule);
}

/** Checks what holds fields of its own, none of which is needed: what is no object would pass for an empty one. */
export function inspectRecord(inspection: Inspection, value: unknown, field: string): void {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  inspection.expect(isRecord, field, 'must be an object');
}

/** Checks an id that the host brings along. */
export function inspectNewId(inspection: Inspection, kind: IdKind, id: unknown, field = 'id'): void {
  const rule = `must be ${ID_PREFIXES[kind]} and then 1 to 120 of A-Z a-z 0-9 _ -`;
  inspection.expect(id === undefined || (typeof id === 'string' && isIdOf(kind, id)), field, rule);
}

/** Checks how long a replaced secret may work on. */
export function inspectOverlap(inspection: Inspection, overlapMs: number): void {
  const isWhole = Number.isInteger(overlapMs) && isOverlapAllowed(overlapMs);
  const rule = `must be whole milliseconds, from 0 to ${OVERLAP_LIMIT_HOURS} hours`;
  inspection.expect(isWhole, 'overlapMs', rule);
}

/** Checks that a value is one of a closed list. */
export function inspectChoice(
  inspection: Inspection,
  value: unknown,
  field: string,
  choices: readonly string[],
): void {
  const isKnown = typeof value === 'string' && choices.includes(value);
  inspection.expect(isKnown, field, `must be one of ${choices.join(', ')}`);
}

/** Checks a bound of a list in time. */
export function inspectInstant(inspection: Inspection, at: number | undefined, field: string): void {
  const holds = at === undefined || (Number.isSafeInteger(at) && at >= 0);
  inspection.expect(holds, field, 'must be an instant: whole milliseconds since 1970');
}

/** How many rows a list for the host holds: when none is asked for, and at most. */
export const LIST_LIMIT = { default: 100, max: 1000 } as const;

/** The number of rows asked for, or the default. */
export function checkedLimit(command: string, limit: number | undefined): number {
  const inspection = inspect(command);
  const asked = limit ?? LIST_LIMIT.default;
  const fits = Number.isInteger(asked) && asked >= 1 && asked <= LIST_LIMIT.max;
  inspection.expect(fits, 'limit', `must be a whole number from 1 to ${LIST_LIMIT.max}`);
  inspection.end();
  return asked;
}
