import { SCREENS } from '../../../packages/console/src/screens/screens.js';
import type { Platform } from '../platform.js';

/** Values of the parameters in the paths of pages. A screen with new parameters adds a row. */
const EXAMPLES: Readonly<Record<string, (platform: Platform) => readonly string[]>> = {
  '/applications/:id': ({ ada, alan, grace }) => [ada, alan, grace].map((id) => `/applications/${id}`),
};

/** Pages that only scripts read. */
const NO_PAGES: readonly string[] = ['/live'];

/** Pages with a query. */
const WITH_QUERY: readonly ((platform: Platform) => string)[] = [
  ({ acme }) => `/applications?key=${acme.keyId}&status=received`,
  () => '/applications?status=received',
  ({ ada }) => `/audit?kind=application&id=${ada}`,
  () => '/nothing-here',
];

/** Returns the paths of example pages of every screen, below the console's path. */
export function examplePages(platform: Platform): readonly string[] {
  const routes = SCREENS.flatMap(({ pages }) => Object.keys(pages)).filter(
    (route) => !NO_PAGES.includes(route),
  );
  const paths = routes.flatMap((route) => {
    if (!route.includes(':')) return [route];
    const examples = EXAMPLES[route];
    if (examples === undefined)
      throw new Error(`Add an example of ${route} to test/console/browser/example-pages.ts.`);
    return examples(platform);
  });
  return [...new Set([...paths, ...WITH_QUERY.map((path) => path(platform))])];
}

/** POSTs that show a page: confirmations, results of searches, and revealed candidates. */
export function exampleForms({
  ada,
  alan,
  grace,
}: Platform): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  return [
    ['/applications', { q: 'turing' }],
    ['/applications', { q: 'nobody' }],
    [`/applications/${alan}/erase`, {}],
    [`/applications/${ada}/reveal`, {}],
    [`/applications/${grace}/resume-endpoint`, {}],
  ];
}
