import { Marked } from 'marked';
import { escapeHtml } from './html-page.js';

/** Returns the address of a link in the HTML page. */
export type LinkOf = (link: string) => string;

/**
 * Returns the HTML of a page's Markdown. Raw HTML is shown as text, an image as its alternative text, and a link with another
 * scheme than http, https or mailto as its label.
 */
export function markdownHtml(markdown: string, linkOf: LinkOf = (link) => link): string {
  const anchorOf = createAnchors();
  const marked = new Marked({
    // Without these tokens, HTML and bare addresses are text, which marked escapes.
    tokenizer: { html: () => undefined, tag: () => undefined, url: () => undefined },
    renderer: {
      // The style makes what scrolls reachable with the keyboard, so that it needs a tabindex.
      code: ({ text }) =>
        `<div class="fence"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`,
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const address = linkOf(href);
        return isSafe(address) ? `<a href="${escapeHtml(address)}">${label}</a>` : label;
      },
      image: ({ text }) => escapeHtml(text),
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    },
  });
  return marked.parse(markdown, { async: false });
}

const SCHEMES = ['http:', 'https:', 'mailto:'];

/** Whether a browser opens the address as a page or an e-mail. Browsers ignore tabs and spaces that hide a scheme. */
function isSafe(address: string): boolean {
  const base = 'https://relative.invalid';
  return URL.canParse(address, base) && SCHEMES.includes(new URL(address, base).protocol);
}

/** Derives the anchors of a page from its headings, as GitHub does. Repeated ones are numbered. */
function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const anchor = heading
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let numbered = anchor;
    for (let number = 1; taken.has(numbered); number += 1) numbered = `${anchor}-${number}`;
    taken.add(numbered);
    return numbered;
  };
}
