/** Returns whether a value is an error, also one of another realm, as in Jest, or one with a tag of its own, as of Prisma. */
export function isAnyError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
