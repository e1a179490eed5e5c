import { createGetEvents } from '../features/events-feed/routes.js';
import type { RequestRoute } from '../features/request-log/rules.js';
import { createOwnRoutes, type ServedEndpoints } from '../features/self-service/routes.js';
import type { EndpointRight } from '../features/self-service/rules.js';
import type { PartnerApi } from '../partner/partner-api.js';
import { createLongPageQueues } from './long-pages.js';
import type { BodyLimits } from './message.js';
import type { Route } from './route.js';
import { createGetApplication } from './routes/get-application.js';
import { createGetApplications, createGetJobs } from './routes/lists.js';
import { createPostApplications } from './routes/post-applications.js';

export interface ApiPath {
  readonly path: string;
  /** The path without the base path. */
  readonly route: RequestRoute;
  readonly allow: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** Methods that the host has turned off. The path is unknown for them. */
  readonly hidden: ReadonlySet<string>;
}

export interface Location {
  readonly apiPath: ApiPath | null;
  readonly pathParameter: string;
}

export interface RouterOptions {
  readonly basePath: string;
  readonly bodyLimits: BodyLimits;
  readonly servesEvents?: boolean;
  readonly own?: ServedEndpoints | undefined;
}

const NOWHERE: Location = { apiPath: null, pathParameter: '' };

/** A path with a parameter: its parts before and after. */
interface Pattern {
  readonly apiPath: ApiPath;
  readonly before: string;
  readonly after: string;
}

/** Contract: 1.5, 5 to 7. */
export function createRouter(
  partner: PartnerApi,
  { basePath, bodyLimits, own, servesEvents = false }: RouterOptions,
): (path: string, method?: string) => Location {
  const workOnLongPage = createLongPageQueues();
  const paths = [
    apiPath(basePath, '/jobs', { GET: createGetJobs(partner, workOnLongPage) }),
    apiPath(basePath, '/applications', {
      GET: createGetApplications(partner, workOnLongPage),
      POST: createPostApplications({ partner, bodyLimits }),
    }),
    apiPath(basePath, '/applications/{id}', { GET: createGetApplication(partner) }),
    ...(servesEvents
      ? [apiPath(basePath, '/events', { GET: createGetEvents(partner, workOnLongPage) })]
      : []),
    ...(own === undefined ? [] : ownPaths(basePath, bodyLimits, own)),
  ];
  const fixed = new Map<string, Location>(
    paths
      .filter(({ path }) => !path.includes('{'))
      .map((each) => [each.path, { apiPath: each, pathParameter: '' }]),
  );
  const patterns = paths.flatMap((each): readonly Pattern[] => {
    const [before = '', after] = each.path.split(/\{\w+\}/);
    return after === undefined ? [] : [{ apiPath: each, before, after }];
  });
  return (path, method = 'GET') => {
    const found = fixed.get(path) ?? locateIn(patterns, path);
    return found.apiPath?.hidden.has(method) === true ? NOWHERE : found;
  };
}

function locateIn(patterns: readonly Pattern[], path: string): Location {
  for (const { apiPath: found, before, after } of patterns) {
    if (!path.startsWith(before) || !path.endsWith(after)) continue;
    const pathParameter = path.slice(before.length, path.length - after.length);
    if (pathParameter !== '' && !pathParameter.includes('/')) return { apiPath: found, pathParameter };
  }
  return NOWHERE;
}

/** Returns the paths of which at least one method is turned on. */
function ownPaths(basePath: string, bodyLimits: BodyLimits, own: ServedEndpoints): readonly ApiPath[] {
  const { rights } = own;
  const routes = createOwnRoutes(own, bodyLimits);
  const path = (route: RequestRoute, methods: Partial<Record<Method, readonly [EndpointRight, Route]>>) => {
    const on: Partial<Record<Method, Route>> = {};
    const off: Method[] = [];
    for (const [method, [right, run]] of Object.entries(methods) as [Method, [EndpointRight, Route]][]) {
      if (rights[right] === true) on[method] = run;
      else off.push(method);
    }
    return Object.keys(on).length === 0 ? [] : [apiPath(basePath, route, on, off)];
  };
  return [
    path('/webhook-endpoint', { GET: ['endpoint', routes.show], PUT: ['url', routes.setUrl] }),
    path('/webhook-endpoint/test', { POST: ['test', routes.test] }),
    path('/webhook-endpoint/pause', { POST: ['pause', routes.pause] }),
    path('/webhook-endpoint/resume', { POST: ['resume', routes.resume] }),
    path('/webhook-endpoint/rotate-secret', { POST: ['rotateSecret', routes.rotateSecret] }),
    path('/webhook-endpoint/deliveries', { GET: ['deliveries', routes.deliveries] }),
    path('/webhook-endpoint/deliveries/{eventId}/resend', { POST: ['resend', routes.resend] }),
    path('/webhook-endpoint/resend', { POST: ['resendSince', routes.resendSince] }),
  ].flat();
}

type Method = 'GET' | 'POST' | 'PUT';

function apiPath(
  basePath: string,
  route: RequestRoute,
  byMethod: Partial<Record<Method, Route>>,
  off: readonly Method[] = [],
): ApiPath {
  const { GET: get, ...others } = byMethod;
  const reading: [string, Route][] =
    get === undefined
      ? []
      : [
          ['GET', get],
          ['HEAD', get],
        ];
  const routes = new Map<string, Route>([...reading, ...Object.entries(others)]);
  const hidden = new Set<string>(off.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return { path: `${basePath}${route}`, route, allow: [...routes.keys()].join(', '), routes, hidden };
}
