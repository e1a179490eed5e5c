/** Follows every link below a path, from its first page. Returns the text of each page by its address. */
export async function crawl(
  get: (path: string) => Promise<{ readonly text: string }>,
  root = '/console',
): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const open = [root];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (pages.has(path)) continue;
    const { text } = await get(path);
    pages.set(path, text);
    const links = [...text.matchAll(/href="([^"#]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    open.push(...links.filter((href) => href.startsWith(root) && !href.includes('/assets/')));
  }
  return pages;
}
