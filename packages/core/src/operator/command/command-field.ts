import * as z from 'zod';
import type { IdKind } from '../../domain/ids.js';

/** A field of a command's input, for programs that read it from text: a command line, or a form. */
export interface CommandField {
  readonly name: string;
  /** Whether the input needs the field. False for each of several fields of which one is required. */
  readonly isRequired: boolean;
  /** `duration` is in milliseconds. `value` is everything else, such as a list or an object. */
  readonly kind: 'choice' | 'duration' | 'flag' | 'id' | 'instant' | 'number' | 'text' | 'value';
  /** The kind of object that an id is of; null for other fields. */
  readonly idOf: IdKind | null;
  /** The possible values of a choice; empty for other fields. */
  readonly choices: readonly string[];
  /** Says what an optional field selects or does; null for other fields. */
  readonly summary: string | null;
}

type Values = Pick<CommandField, 'kind'> & Partial<Pick<CommandField, 'choices' | 'idOf'>>;

const VALUES = new WeakMap<z.ZodType, Values>();
const SUMMARIES = new WeakMap<z.ZodType, string>();

/** Records the values of a field. */
export function withValues<Field extends z.ZodType>(field: Field, values: Values): Field {
  VALUES.set(field, values);
  return field;
}

/** Records what an optional field is for. */
export function withSummary<Field extends z.ZodType>(field: Field, summary: string | undefined): Field {
  if (summary !== undefined) SUMMARIES.set(field, summary);
  return field;
}

/** Returns what programs know about the fields of an input. */
export function factsOf(fields: Readonly<Record<string, z.ZodType>>): readonly CommandField[] {
  return Object.entries(fields).map(([name, field]) => {
    const { kind = 'value', choices = [], idOf = null } = VALUES.get(unwrapped(field)) ?? {};
    const isRequired = field._zod.optin !== 'optional';
    return { name, isRequired, kind, idOf, choices, summary: SUMMARIES.get(field) ?? null };
  });
}

/** Returns the field within an optional or nullable one. */
export function unwrapped(field: z.ZodType): z.ZodType {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? unwrapped(field.unwrap() as z.ZodType)
    : field;
}
