/**
 * The headers of a request: a `Headers` object of any runtime, or a plain object such as Node's
 * `request.headers`, in any letter case. Null is absent, as `Headers.get` has it.
 */
export type WebhookHeaders = { get(name: string): string | null } | Fields;

type Fields = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/**
 * The value of a header, or null if it is absent. One that was sent more than once has its values joined by a
 * comma and a blank, as `Headers` and Node do it, so that a request is judged alike however it is handed over.
 */
export function headerValue(headers: WebhookHeaders, header: string): string | null {
  const wanted = header.toLowerCase();
  // Nothing at all is what some gateways hand over for a request without headers.
  if (typeof headers?.get === 'function') return headers.get(wanted) ?? null;
  const fields = headers as Fields;
  let found: string | readonly string[] | null | undefined;
  for (const name in fields) {
    // Lengths first: a request has many headers, and few are as long.
    if (name.length === header.length && name.toLowerCase() === wanted) {
      // A list only where there are several: it is a sixth of what a verification takes.
      found = found == null ? fields[name] : [found, fields[name] ?? []].flat();
    }
  }
  if (typeof found === 'string') return found;
  return found?.length ? found.join(', ') : null;
}
