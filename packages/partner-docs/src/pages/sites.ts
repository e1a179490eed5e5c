import type { HostFacts } from './host-facts.js';
import type { PartnerDocsPage } from './partner-docs-page.js';
import { createPartnerPages } from './partner-pages.js';

/** The documentation as partners see it behind one prefix. */
export interface Site {
  readonly pages: readonly PartnerDocsPage[];
  /** The address of the index. */
  readonly index: string;
  /** Returns the page at a path of this server, or null. */
  find(path: string): PartnerDocsPage | null;
}

/** Stands in the pages for a prefix that only a request names. It occurs nowhere else. */
const MARK = '/PREFIX-OF-THE-REQUEST';

/**
 * Creates a function that returns the documentation behind a prefix. The pages are made once for the host's own prefix, and
 * once for all others, so that a client that invents prefixes does not keep the process busy.
 */
export function createSites(facts: HostFacts): (prefix: string) => Site {
  const ownPrefix = facts.publicPath ?? '';
  const own = createSite(facts, ownPrefix);
  let marked: Site | null = null;
  return (prefix) => {
    if (prefix === ownPrefix) return own;
    marked ??= createSite(facts, MARK);
    return behind(prefix, marked);
  };
}

function createSite(facts: HostFacts, prefix: string): Site {
  const { origin, basePath, docsPath } = facts;
  const seen = { ...facts, basePath: `${prefix}${basePath}`, docsPath: `${prefix}${docsPath}` };
  const pages = createPartnerPages(seen);
  const byPath = new Map(pages.map((page) => [`${docsPath}/${page.path}`, page]));
  return {
    pages,
    index: `${origin}${seen.docsPath}/llms.txt`,
    find: (path) => byPath.get(path) ?? byPath.get(`${path}.md`) ?? null,
  };
}

function behind(prefix: string, marked: Site): Site {
  const shown = (text: string) => text.replaceAll(MARK, prefix);
  return {
    ...marked,
    index: shown(marked.index),
    find: (path) => {
      const page = marked.find(path);
      if (page === null) return null;
      const { html, ...others } = { ...page, text: shown(page.text) };
      return html === undefined ? others : { ...others, html: { ...html, text: shown(html.text) } };
    },
  };
}
