interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A page or file, after redirections. */
export interface Seen {
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A browser that sends a cookie only below its path, and notes each address outside of a prefix. */
export type Browser = ReturnType<typeof createBrowser>;

const LONGEST_CHAIN = 5;

/** Returns whether a path is at or below another one. */
export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

export function createBrowser(prefix: string) {
  let jar: readonly Cookie[] = [];
  const outside: string[] = [];

  function keep(header: string, url: URL): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((one) => one.startsWith('Path='))?.slice('Path='.length) ?? '';
    if (!isBelow(path, prefix)) outside.push(`${url.pathname} sets a cookie for ${path}`);
    jar = jar.filter((one) => one.name !== name || one.path !== path);
    if (!attributes.includes('Max-Age=0')) jar = [...jar, { name, value, path }];
  }

  async function send(url: URL, init: RequestInit, chain = 0): Promise<Seen> {
    const cookie = jar
      .filter(({ path }) => isBelow(url.pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { accept: 'text/html', cookie, origin: url.origin };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) keep(header, url);
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) {
      return { url, status: response.status, type: response.headers.get('content-type') ?? '', text };
    }
    const to = new URL(location, url);
    if (!isBelow(to.pathname, prefix)) outside.push(`${url.pathname} redirects to ${to.pathname}`);
    if (chain === LONGEST_CHAIN) throw new Error(`Too many redirections at ${url}`);
    return send(to, {}, chain + 1);
  }

  return {
    /** Redirections and cookies that lead out of the prefix. */
    outside,
    get: (url: URL) => send(url, {}),
    /** Sends a form as an older browser does: only `Origin` says where it comes from. */
    post: (url: URL, body: URLSearchParams) => send(url, { method: 'POST', body }),
  };
}
