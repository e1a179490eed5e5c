import { InputProblem } from './input.js';

/**
 * Copies objects and lists, so that the caller may change what it has passed. Functions, signals, dates and what else
 * is not made of fields stay as they are, and so do sources, which are read later.
 * @throws InputProblem if a value contains itself. Also throws what a getter throws.
 */
export function copyInput(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value !== 'object' || value === null || isKept(value)) return value;
  if (above.includes(value)) throw new InputProblem('the input contains itself');
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((item) => copyInput(item, within));
  // Keeps the prototype: entities of some libraries have their fields as getters there.
  const copied: object = Object.create(Object.getPrototypeOf(value));
  for (const [name, field] of Object.entries(value)) {
    const copy = { value: copyInput(field, within), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(copied, name, copy);
  }
  return copied;
}

function isKept(value: object): boolean {
  if (Array.isArray(value)) return false;
  const isPlain = Object.prototype.toString.call(value) === '[object Object]';
  return !isPlain || Symbol.iterator in value || Symbol.asyncIterator in value;
}
