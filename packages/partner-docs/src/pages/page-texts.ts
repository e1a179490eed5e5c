import { readFileSync } from 'node:fs';

/** The pages for partners, in the order of `docs/README.md`. */
export const PAGE_NAMES = [
  'quick-start-partner',
  'partner-guide',
  'webhooks',
  'sync',
  'client-stores',
  'questions',
  'errors-and-limits',
  'versioning',
  'api-changelog',
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

const DOCS = new URL('../../../../docs/', import.meta.url);

/** The Markdown of each page. The build replaces this file by one that contains the texts: see `tsup.config.ts`. */
export const PAGE_TEXTS = Object.fromEntries(
  PAGE_NAMES.map((name) => [name, readFileSync(new URL(`${name}.md`, DOCS), 'utf8')]),
) as Readonly<Record<PageName, string>>;
