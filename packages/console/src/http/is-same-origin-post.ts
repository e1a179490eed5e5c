/**
 * Returns whether a POST names this origin. Stricter than `isSameOriginPost`, for what a page of another site may show or link to.
 */
export function isFromOrigin({ headers }: Pick<Request, 'headers'>, origin: string): boolean {
  const site = headers.get('sec-fetch-site');
  return headers.get('origin') === origin && (site === null || site === 'same-origin');
}

/**
 * Returns whether a POST comes from a page of the console itself. Browsers tell this in `Sec-Fetch-Site`. Older
 * browsers, and all browsers over plain HTTP, send only `Origin`. A request without both headers is refused.
 * @param ownOrigin - the origin that browsers see. Null for the origin of the request's URL.
 */
export function isSameOriginPost(
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  ownOrigin: string | null,
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin === (ownOrigin ?? new URL(url).origin);
}
