import type { SANDBOX_PAGE_HEADERS } from '../sandbox/sandbox-guide.js';

/** A file of the documentation for partners. */
export interface PartnerDocsPage {
  /** The path below `docsPath`. Example: `webhooks.md`. */
  readonly path: string;
  readonly title: string;
  /** One sentence about the page. */
  readonly about: string;
  readonly contentType: string;
  readonly text: string;
  /** The page for browsers. Files that are not Markdown have none. */
  readonly html?: { readonly text: string; readonly headers: typeof SANDBOX_PAGE_HEADERS };
}

export const MEDIA_TYPES = {
  markdown: 'text/markdown; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  json: 'application/json',
} as const;
