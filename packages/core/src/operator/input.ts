import { ID_PREFIXES, type IdKind, isIdOf } from '../domain/ids.js';
import { isOverlapAllowed, OVERLAP_LIMIT_HOURS } from '../domain/partner-key.js';
import { isPlainLine, isStorableText } from '../domain/text.js';
import { OperatorError } from '../errors.js';
import type { UrlPolicy } from './scope.js';

export interface Inspection {
  /** Reports a problem if `holds` is false. The message consists of the field's name and the rule. */
  expect(holds: boolean, field: string, rule: string): void;
  end(): void;
}

const PROBLEMS_NAMED = 10;

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

/** Returns whether the value is a line that is shown to others: it steers no terminal and does not reorder what is shown. */
export function isLine(value: unknown, maxLength: number): value is string {
  return isText(value, maxLength) && isPlainLine(value);
}

export const LINE_RULE = 'without control characters, bidirectional overrides or lone surrogates';

/** Returns whether the value is text that a database can store, with at most `maxLength` code points. */
export function isText(value: unknown, maxLength: number): value is string {
  if (typeof value !== 'string' || !isStorableText(value)) return false;
  return value.length <= maxLength || [...value].length <= maxLength;
}

const NAME_MAX_LENGTH = 500;

export function inspectName(
  inspection: Inspection,
  value: unknown,
  field: string,
  maxLength = NAME_MAX_LENGTH,
): void {
  const rule = `must be text of 1 to ${maxLength} characters, not blank, ${LINE_RULE}`;
  inspection.expect(isLine(value, maxLength) && value.trim() !== '', field, rule);
}

/** Reports a value that is not an object. Otherwise, a number would pass as an empty object. */
export function inspectRecord(inspection: Inspection, value: unknown, field: string): void {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  inspection.expect(isRecord, field, 'must be an object');
}

/** Reports fields that do not exist, because a misspelled option would be ignored. */
export function inspectKnownNames(
  inspection: Inspection,
  value: object,
  known: readonly string[],
  path: string,
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const rule =
      known.length === 0
        ? 'is unknown: this command takes no options'
        : `is unknown: a name must be one of ${known.join(', ')}`;
    inspection.expect(false, `${path}${name.slice(0, NAME_MAX_LENGTH)}`, rule);
  }
}

export function inspectNewId(inspection: Inspection, kind: IdKind, id: unknown, field = 'id'): void {
  const rule = `must be ${ID_PREFIXES[kind]} followed by 1 to 120 characters of A-Z a-z 0-9 _ -`;
  inspection.expect(id === undefined || (typeof id === 'string' && isIdOf(kind, id)), field, rule);
}

export function inspectOverlap(inspection: Inspection, overlapMs: number): void {
  const isWhole = Number.isInteger(overlapMs) && isOverlapAllowed(overlapMs);
  const rule = `must be an integer number of milliseconds, from 0 to ${OVERLAP_LIMIT_HOURS} hours`;
  inspection.expect(isWhole, 'overlapMs', rule);
}

export function inspectChoice(
  inspection: Inspection,
  value: unknown,
  field: string,
  choices: readonly string[],
): void {
  const isKnown = typeof value === 'string' && choices.includes(value);
  inspection.expect(isKnown, field, `must be one of ${choices.join(', ')}`);
}

export function inspectFlag(inspection: Inspection, value: unknown, field: string): void {
  inspection.expect(typeof value === 'boolean', field, 'must be true or false');
}

export function inspectInstant(inspection: Inspection, at: number | undefined, field: string): void {
  const holds = at === undefined || (Number.isSafeInteger(at) && at >= 0);
  inspection.expect(holds, field, 'must be an instant: integer milliseconds since 1970');
}

/** Returns a valid URL in its normal form: percent-encoded, without control characters and blanks around it. */
export function storedUrl(url: string): string {
  return new URL(url).href;
}

/** Common servers and proxies reject longer URLs. */
const URL_MAX_LENGTH = 2048;

const USE_HTTP_IN_DEVELOPMENT =
  'for development, createPartnerHiring takes `allowPrivateNetworks: true`, which allows http and private addresses';

export function inspectUrl(inspection: Inspection, url: unknown, field: string, policy: UrlPolicy): void {
  if (!isText(url, URL_MAX_LENGTH) || !URL.canParse(url) || storedUrl(url).length > URL_MAX_LENGTH) {
    const rule = `must be an absolute URL of at most ${URL_MAX_LENGTH} characters, also when it is percent-encoded`;
    inspection.expect(false, field, rule);
    return;
  }
  const { protocol, username, password } = new URL(url);
  const isHttp = protocol === 'http:';
  const isAllowed = protocol === 'https:' || (policy.allowPlainHttp && isHttp);
  inspection.expect(isAllowed, field, schemeRule(policy, isHttp));
  inspection.expect(username === '' && password === '', field, 'must not contain credentials');
}

function schemeRule({ allowPlainHttp }: UrlPolicy, isHttp: boolean): string {
  if (allowPlainHttp) return 'must be https or http';
  return isHttp ? `must be https (${USE_HTTP_IN_DEVELOPMENT})` : 'must be https';
}

export const LIST_LIMIT = { default: 100, max: 1000 } as const;

export function checkedLimit(command: string, limit: number | undefined): number {
  const inspection = inspect(command);
  const requested = limit ?? LIST_LIMIT.default;
  const fits = Number.isInteger(requested) && requested >= 1 && requested <= LIST_LIMIT.max;
  inspection.expect(fits, 'limit', `must be an integer from 1 to ${LIST_LIMIT.max}`);
  inspection.end();
  return requested;
}
