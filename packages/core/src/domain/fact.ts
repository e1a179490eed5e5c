import type { Instant } from './time.js';

/** A field of a job or an application, as pages and the command line show it. */
export interface Fact<Field extends string = string> {
  readonly field: Field;
  /** The name of the field for people. */
  readonly label: string;
  /** A text, lines of text, or an instant. Null if the field is unset. */
  readonly value: string | readonly string[] | Instant | null;
}

/** Compares two values of JSON. The order of an object's fields does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const fields = Object.entries(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => Object.hasOwn(other, name) && isSameJson(value, Reflect.get(other, name)))
  );
}
