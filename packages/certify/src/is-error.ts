/** Whether a value is an error, also one of another realm, such as those of `fetch` in Jest, or an aborted signal's reason. */
export function isError(value: unknown): value is Error {
  return ['[object Error]', '[object DOMException]'].includes(Object.prototype.toString.call(value));
}
