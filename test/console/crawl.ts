/** Follows every link of the console from the overview. Returns the text of each page by its address. */
export async function crawl(
  get: (path: string) => Promise<{ readonly text: string }>,
): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const open = ['/console'];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (pages.has(path)) continue;
    const { text } = await get(path);
    pages.set(path, text);
    const links = [...text.matchAll(/href="(\/console[^"#]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    open.push(...links.filter((href) => !href.includes('/assets/')));
  }
  return pages;
}
