import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { JOB_ACTS } from '../../../packages/console/src/screens/jobs/job-actions.js';
import { SCREENS } from '../../../packages/console/src/screens/screens.js';
import type { Platform } from '../platform.js';
import { seedOperation } from '../seed.js';

/** Values of the parameters in the paths of pages. A screen with new parameters adds a row. */
const EXAMPLES: Readonly<Record<string, (platform: Platform) => Promise<readonly string[]>>> = {
  '/applications/:id': async ({ ada, alan, grace }) => [ada, alan, grace].map((id) => `/applications/${id}`),
  '/audit/:id': async ({ fixture: { operator } }) => {
    const { items: acts } = await operator.audit.list({ limit: 1 });
    return acts.map(({ id }) => `/audit/${id}`);
  },
  '/companies/:id': async ({ acme }) => [`/companies/${acme.companyId}`],
  '/deliveries/:key/:event': async ({ fixture: { operator }, ada, grace, acme, hooli }) => {
    const {
      items: [told],
    } = await operator.deliveries.list({ applicationId: ada });
    const {
      items: [untold],
    } = await operator.deliveries.list({ applicationId: grace });
    return [`/deliveries/${acme.keyId}/${told?.eventId}`, `/deliveries/${hooli.keyId}/${untold?.eventId}`];
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
  () => '/deliveries?key=ptn_1&waits=due&state=dead',
  ({ acme }) => `/jobs?company=${acme.companyId}`,
  () => '/jobs/job_depot_1',
  () => '/requests?errors=yes',
  () => '/totals?by=company',
  ({ acme, hooli }) => `/totals/missing?key=${acme.keyId}&other=${hooli.keyId}`,
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

/** A form: the path of its action, and its fields. */
export type ExampleForm = readonly [path: string, fields: Readonly<Record<string, string>>];

/** POSTs that show a page: confirmations, results of searches, secrets, and refused forms. A new act adds a row. */
const FORMS: readonly ((platform: Platform) => readonly ExampleForm[])[] = [
  ({ ada, alan, grace }) => [
    ['/applications', { q: 'turing' }],
    ['/applications', { q: 'nobody' }],
    [`/applications/${alan}/erase`, {}],
    [`/applications/${alan}/decide`, { decision: 'rejected' }],
    [`/applications/${ada}/reveal`, {}],
    [`/applications/${grace}/resume-endpoint`, {}],
    [`/people/${alan}/erase`, { by: 'email' }],
    ['/audit', { kind: 'application' }],
  ],
  ({ alan }) => [
    ['/search', { q: 'acme' }],
    ['/search', { q: 'alan@example.org' }],
    ['/search', { q: 'nothing like it' }],
    ['/search', { q: alan.slice(0, 1) }],
  ],
  ({ acme, hooli }) => [
    [`/endpoints/${acme.keyId}/test`, {}],
    [`/endpoints/${acme.keyId}/pause`, {}],
    [`/endpoints/${hooli.keyId}/resume`, {}],
    [`/endpoints/${acme.keyId}/set-url`, { url: 'https://acme.example/new' }],
    [`/endpoints/${acme.keyId}/restore-url`, {}],
    [`/endpoints/${acme.keyId}/rotate-secret`, {}],
    ['/deliveries/resend-many', { resendKey: hooli.keyId }],
    ['/deliveries/resend-many', { resendKey: acme.keyId, resendSince: '2000-01-01T00:00' }],
  ],
  ({ acme, linus }) => [
    [`/keys/${acme.keyId}/revoke`, { secret: 'all' }],
    ['/bulk/reject', { chosen: linus }],
    ['/bulk/hire', { chosen: linus }],
    ['/bulk/revoke', { chosen: acme.companyId }],
    ['/bulk/grant', { chosen: acme.companyId }],
    ['/bulk/pause', { chosen: acme.keyId }],
    ['/bulk/resume', { chosen: acme.keyId }],
    ['/bulk/resend', { chosen: acme.keyId }],
    [`/partners/${acme.partnerId}/rotate-secrets`, {}],
    [`/keys/${acme.keyId}/rotate`, {}],
    [`/keys/${acme.keyId}/probe`, {}],
    [`/keys/${acme.keyId}/lower-limits`, {}],
    [`/keys/${acme.keyId}/rotate`, { confirmed: 'yes' }],
    [`/keys/${acme.keyId}/grant`, { company: acme.companyId }],
    [`/keys/${acme.keyId}/grant-many`, { companies: 'no such company' }],
    [`/keys/${acme.keyId}/revoke-access`, { company: acme.companyId }],
    [`/keys/${acme.keyId}/revoke-many`, {}],
    [`/keys/${acme.keyId}/bootstrap`, { company: acme.companyId }],
  ],
  ({ acme, hooli }) => [
    ['/partners/new', { name: ' ' }],
    ['/partners/new', { ...NEW_PARTNER, companies: 'Initec' }],
    ['/partners/new', NEW_PARTNER],
    ['/partners/new', NEW_PARTNER],
    [`/partners/${acme.partnerId}/issue`, { environment: 'sandbox' }],
    [`/partners/${hooli.partnerId}/resend`, {}],
    [`/partners/${acme.partnerId}/rename`, { name: 'Acme Talent' }],
    [`/partners/${acme.partnerId}/portal-link`, {}],
    [`/partners/${acme.partnerId}/contact`, { contactName: 'Robin Field', contactEmail: 'robin' }],
    [`/partners/${acme.partnerId}/clear-contact`, {}],
    [`/partners/${acme.partnerId}/disable`, {}],
    [`/partners/${acme.partnerId}/enable`, {}],
    [`/partners/${acme.partnerId}/remove`, {}],
    [`/companies/${acme.companyId}/rename`, { name: 'Initech Group' }],
  ],
  ({ acme }) => [
    ...JOB_ACTS.map(({ path }): ExampleForm => [`/jobs/${acme.jobId}/${path}`, {}]),
    ['/jobs/job_depot_1/close', {}],
    ['/jobs/close-chosen', { chosen: 'job_depot_2' }],
    ['/jobs/archive-chosen', { chosen: 'job_depot_1' }],
    ['/jobs/close-all', { company: acme.companyId }],
    ['/job-sync/apply', {}],
  ],
  () => [
    ['/system/inbox/retry', { item: 'all' }],
    ['/system/inbox/turn-on', {}],
    ['/system/inbox/turn-off', {}],
  ],
];

const NEW_PARTNER = {
  id: 'ptn_umbrella',
  name: 'Umbrella ATS',
  production: 'yes',
  sandbox: 'yes',
  endpointUrl: 'https://umbrella.example/hooks',
} as const;

/** Forms about objects that `exampleForms` looks up. */
async function formsOfFound(platform: Platform): Promise<readonly ExampleForm[]> {
  const { fixture, acme, ada } = platform;
  const {
    items: [told],
  } = await fixture.operator.deliveries.list({ applicationId: ada });
  const at = `/deliveries/${acme.keyId}/${told?.eventId}`;
  return [
    [`${at}/resend`, {}],
    [`${at}/cancel`, {}],
    ['/jobs/reopen-chosen', { chosen: await closedJobOf(platform) }],
    ['/deliveries/resend', { chosen: `${acme.keyId} ${told?.eventId}` }],
    [`/operations/${await seedOperation(platform)}/stop`, {}],
  ];
}

async function closedJobOf({ fixture: { operator }, acme }: Platform): Promise<string> {
  const { id } = await operator.jobs.publish({
    ...WAREHOUSE_JOB,
    companyId: acme.companyId as `co_${string}`,
  });
  await operator.jobs.close({ id });
  return id;
}

/** Returns the forms whose answers are pages: at least one of every act. */
export async function exampleForms(platform: Platform): Promise<readonly ExampleForm[]> {
  const forms = [...FORMS.flatMap((formsOf) => formsOf(platform)), ...(await formsOfFound(platform))];
  for (const [route, act] of SCREENS.flatMap(({ actions = {} }) => Object.entries(actions))) {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
    if (act.isWithoutPage !== true && !forms.some(([path]) => pattern.test(path)))
      throw new Error(`Add an example of POST ${route} to test/console/browser/example-pages.ts.`);
  }
  return forms;
}
