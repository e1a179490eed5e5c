/** Pages of one kind: their addresses differ only by ids. */
export interface PageKind {
  /** The path with placeholders, and the names of the query. */
  readonly name: string;
  readonly addresses: readonly string[];
}

/** How many pages of one kind to find. */
const EACH = 12;
const MOST_KINDS = 150;

/**
 * Follows the links from the first pages, breadth first, and returns the pages by kind. Throws if a page does not answer
 * with 200.
 */
export async function crawl(
  open: (address: string) => Promise<string>,
  first: readonly string[],
): Promise<readonly PageKind[]> {
  const kinds = new Map<string, string[]>();
  const waiting: string[] = [];
  const take = (address: string) => {
    const name = kindOf(address);
    const known = kinds.get(name) ?? [];
    if (known.includes(address) || known.length >= EACH || (known.length === 0 && kinds.size >= MOST_KINDS)) {
      return;
    }
    kinds.set(name, [...known, address]);
    waiting.push(address);
  };
  for (const address of first) take(address);
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const here = new URL(address, 'http://console.test');
    for (const [, link = ''] of (await open(address)).matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const target = new URL(link.replaceAll('&amp;', '&'), here);
      if (target.origin === here.origin && /^\/console(\/|$)/.test(target.pathname)) {
        take(target.pathname + target.search);
      }
    }
  }
  return [...kinds].map(([name, addresses]) => ({ name, addresses }));
}

/** A part of a path that names a thing, such as an id or a UUID. */
const ID = /^(?:[a-z]+_)+[0-9A-Za-z]{8,}$|^[0-9a-f-]{36}$|^evt_/;

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://console.test');
  const path = pathname.split('/').map((part) => (ID.test(decodeURIComponent(part)) ? ':id' : part));
  const names = [...new Set(searchParams.keys())].filter((name) => searchParams.get(name) !== '').sort();
  return path.join('/') + (names.length === 0 ? '' : `?${names.join('&')}`);
}
