import { HTML_HEADERS, htmlPage } from '../html/html-page.js';
import { markdownHtml } from '../html/markdown-html.js';
import type { HostFacts } from './host-facts.js';
import { MEDIA_TYPES, type PartnerDocsPage } from './partner-docs-page.js';

const INDEX = 'llms.txt';

/**
 * Adds the page for browsers to each page in Markdown, and to the index. Links are relative, so they also work if the host
 * mounts the documentation behind a prefix.
 */
export function withHtml(
  { origin, docsPath }: HostFacts,
  pages: readonly PartnerDocsPage[],
): readonly PartnerDocsPage[] {
  const folder = docsPath.slice(docsPath.lastIndexOf('/') + 1);
  const base = `${origin}${docsPath}/`;
  return pages.map((page) => {
    const isIndex = page.path === INDEX;
    if (!isIndex && page.contentType !== MEDIA_TYPES.markdown) return page;
    // The index has the address of the folder itself, without a slash at its end.
    const [toIndex, toFile] = isIndex ? [folder, `${folder}/`] : [`../${folder}`, ''];
    const menu = pages.filter(isInMenu).map(({ path, title }) => ({
      title: path === INDEX ? 'Overview' : title,
      href: path === INDEX ? toIndex : `${toFile}${withoutMd(path)}`,
      isCurrent: path === page.path,
    }));
    const linkOf = (link: string) =>
      withoutMd(link.startsWith(base) ? `${toFile}${link.slice(base.length)}` : link);
    const main = markdownHtml(page.text, linkOf);
    const title = isIndex ? 'Partner Hiring API' : page.title;
    return { ...page, html: { text: htmlPage({ title, menu, main }), headers: HTML_HEADERS } };
  });
}

/** Files in folders, such as `receivers/receiver.py`, are linked from a page. */
function isInMenu({ path }: PartnerDocsPage): boolean {
  return !path.includes('/');
}

/** Turns a link to another page in Markdown into one to its HTML. */
function withoutMd(link: string): string {
  return /^[a-z]+:/.test(link) ? link : link.replace(/\.md(?=$|#)/, '');
}
