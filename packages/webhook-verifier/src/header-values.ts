/**
 * The headers of a request: a `Headers` object of any runtime, or a plain object such as Node's
 * `request.headers`, in any letter case.
 */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The values of a header, one for each time it was sent; none if it is absent.
 *
 * @param lowerCaseName - the name in lower case.
 */
export function headerValues(headers: WebhookHeaders, lowerCaseName: string): readonly string[] {
  if (isHeadersObject(headers)) {
    const value = headers.get(lowerCaseName);
    return value === null ? [] : [value];
  }
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === lowerCaseName)
    .flatMap(([, value]) => value ?? []);
}

function isHeadersObject(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
