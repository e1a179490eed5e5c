/** Whether a value is an error, also one of another realm, such as those of `fetch` in Jest. */
export function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]';
}
