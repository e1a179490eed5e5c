/**
 * Returns whether a POST comes from a page of the console itself. Browsers say so in `Sec-Fetch-Site`. Older ones, and all
 * over plain HTTP, only send `Origin`. A request without both is refused.
 * @param ownOrigin - the origin that browsers see. Null for the origin of the request's URL.
 */
export function isOwnPost(
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  ownOrigin: string | null,
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && origin === (ownOrigin ?? new URL(url).origin);
}
