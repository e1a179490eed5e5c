import { SCREENS } from '../../../packages/console/src/screens/screens.js';
import type { Platform } from '../platform.js';
import { seedOperation } from '../seed.js';

/** Values of the parameters in the paths of pages. A screen with new parameters adds a row. */
const EXAMPLES: Readonly<Record<string, (platform: Platform) => Promise<readonly string[]>>> = {
  '/applications/:id': async ({ ada, alan, grace }) => [ada, alan, grace].map((id) => `/applications/${id}`),
  '/companies/:id': async ({ acme }) => [`/companies/${acme.companyId}`],
  '/deliveries/:key/:event': async ({ fixture: { operator }, ada, grace, acme, hooli }) => {
    const [told] = await operator.applications.events({ id: ada });
    const [untold] = await operator.applications.events({ id: grace });
    return [`/deliveries/${acme.keyId}/${told?.event.id}`, `/deliveries/${hooli.keyId}/${untold?.event.id}`];
  },
  '/endpoints/:key': async ({ acme, hooli }) => [acme, hooli].map(({ keyId }) => `/endpoints/${keyId}`),
  '/jobs/:id': async ({ acme }) => [`/jobs/${acme.jobId}`],
  '/keys/:key': async ({ acme }) => [`/keys/${acme.keyId}`],
  '/operations/:id': async (platform) => [`/operations/${await seedOperation(platform)}`],
  '/partners/:id': async ({ acme }) => [`/partners/${acme.partnerId}`],
  '/people/:id': async ({ ada, alan }) => [`/people/${ada}`, `/people/${alan}?by=phone`],
  '/requests/:id': async ({ fixture: { operator } }) => {
    const { items: requests } = await operator.requests.list({ limit: 2 });
    return [...requests.map(({ requestId }) => `/requests/${requestId}`), '/requests/req_none'];
  },
};

/** Pages that only scripts read. */
const NO_PAGES: readonly string[] = ['/live', '/operations/:id/live', '/system/live', '/job-sync/live'];

/** Pages with a query. */
const WITH_QUERY: readonly ((platform: Platform) => string)[] = [
  ({ acme }) => `/applications?key=${acme.keyId}&status=received`,
  () => '/applications?status=received',
  ({ ada }) => `/audit?kind=application&id=${ada}`,
  ({ hooli }) => `/deliveries?key=${hooli.keyId}`,
  () => '/deliveries?key=key_1&partner=ptn_1',
  ({ acme }) => `/jobs?company=${acme.companyId}`,
  () => '/jobs/job_depot_1',
  () => '/requests?errors=yes',
  () => '/operations?state=failed',
  () => '/nothing-here',
];

/** Returns the paths of example pages of every screen, below the console's path. */
export async function examplePages(platform: Platform): Promise<readonly string[]> {
  const routes = SCREENS.flatMap(({ pages }) => Object.keys(pages)).filter(
    (route) => !NO_PAGES.includes(route),
  );
  const examplesOf = async (route: string): Promise<readonly string[]> => {
    if (!route.includes(':')) return [route];
    const examples = EXAMPLES[route];
    if (examples === undefined)
      throw new Error(`Add an example of ${route} to test/console/browser/example-pages.ts.`);
    return examples(platform);
  };
  const paths = (await Promise.all(routes.map(examplesOf))).flat();
  return [...new Set([...paths, ...WITH_QUERY.map((path) => path(platform))])];
}

/** POSTs that show a page: confirmations, results of searches, and revealed candidates. */
export function exampleForms({
  ada,
  alan,
  grace,
  acme,
  hooli,
}: Platform): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  return [
    ['/applications', { q: 'turing' }],
    ['/applications', { q: 'nobody' }],
    [`/applications/${alan}/erase`, {}],
    [`/applications/${ada}/reveal`, {}],
    [`/applications/${grace}/resume-endpoint`, {}],
    [`/endpoints/${hooli.keyId}/resume`, {}],
    [`/endpoints/${acme.keyId}/test`, {}],
    ['/deliveries/redeliver-since', { replayKey: acme.keyId, replaySince: '2000-01-01T00:00' }],
    [`/keys/${acme.keyId}/revoke`, { secret: 'all' }],
    [`/keys/${acme.keyId}/rotate`, { confirmed: 'yes' }],
    [`/partners/${acme.partnerId}/issue`, { environment: 'sandbox' }],
    [`/jobs/${acme.jobId}/close`, {}],
    ['/jobs/job_depot_1/close', {}],
    ['/jobs/archive-chosen', { chosen: 'job_depot_1' }],
    ['/job-sync/apply', {}],
  ];
}
