import type { InboxItem } from '../domain/inbox.js';

/** A host's error without personal data, to log and to store. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
  /** For example an SQL state. */
  readonly code?: string;
}

/** Long enough for a sentence and a name. */
const MAX_LENGTH = 300;
/** Shorter values stand in too many words. */
const MIN_VALUE_LENGTH = 2;

/** Describes an error, without the values of the applications that it may quote. */
export function describeRefusal(error: unknown, items: readonly InboxItem[]): Refusal {
  const { name, message, code } = partsOf(error);
  const values = new Set(items.flatMap(({ application }) => valuesOf(application)));
  const redacted = [...values]
    .sort((a, b) => b.length - a.length)
    .reduce((text, value) => text.replaceAll(value, '…'), message.slice(0, 10 * MAX_LENGTH));
  const described = { name, message: redacted.slice(0, MAX_LENGTH) };
  return code === null ? described : { ...described, code };
}

function partsOf(error: unknown): {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
} {
  if (!(error instanceof Error))
    return { name: 'Error', message: 'The host threw a value that is not an error.', code: null };
  const code: unknown = Reflect.get(error, 'code');
  return {
    name: String(error.name),
    message: String(error.message),
    code: typeof code === 'string' ? code : null,
  };
}

function valuesOf({
  candidate,
  answers,
  source,
  sourceApplicationId,
  resumeUrl,
}: InboxItem['application']): string[] {
  return textsIn([candidate, answers, source, sourceApplicationId, resumeUrl]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < MIN_VALUE_LENGTH ? [] : [value];
  if (typeof value === 'number') return String(value).length < MIN_VALUE_LENGTH ? [] : [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
