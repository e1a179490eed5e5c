/** Checks that also accept values of another realm. In Jest, the errors of `fs` and `fetch` are not of the test's `Error`. */

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns whether a value is an error. `instanceof` is for libraries whose errors have a tag of their own, such as Prisma. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || ['Error', 'DOMException'].includes(tagOf(value));
}

export const isAbortSignal = (value: unknown): value is AbortSignal => tagOf(value) === 'AbortSignal';

export const isPromise = (value: unknown): value is Promise<unknown> => tagOf(value) === 'Promise';

/** Returns whether a value is a `Uint8Array`, which a `Buffer` also is. */
export const isBytes = (value: unknown): value is Uint8Array => tagOf(value) === 'Uint8Array';
