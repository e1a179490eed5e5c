/** Request headers: a `Headers` object, or a plain object such as Node's `request.headers`, in any letter case. */
export type WebhookHeaders = { get(name: string): string | null } | Fields;

type Fields = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** Returns a header, or null. Joins repeated values with `, ` like `Headers` and Node. */
export function headerValue(headers: WebhookHeaders, header: string): string | null {
  const wanted = header.toLowerCase();
  // Some gateways pass undefined for a request without headers.
  if (typeof headers?.get === 'function') return headers.get(wanted) ?? null;
  const fields = headers as Fields;
  let found: string | readonly string[] | null | undefined;
  for (const name in fields) {
    // The length check avoids most calls of toLowerCase.
    if (name.length === header.length && name.toLowerCase() === wanted) {
      // Most headers have one value. Building a list for it would take a sixth of the time of a verification.
      found = found == null ? fields[name] : [found, fields[name] ?? []].flat();
    }
  }
  if (typeof found === 'string') return found;
  return found?.length ? found.join(', ') : null;
}
