import type { RequestRoute } from '../domain/answered-request.js';
import type { PartnerApi } from '../partner/partner-api.js';
import { createLongPageQueues, type WorkOnLongPage } from './long-pages.js';
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
  /** Make the paths of features. */
  readonly more?: readonly MakePaths[];
}

/** Makes paths of the API. */
export type MakePaths = (parts: PathParts) => readonly ApiPath[];

export interface PathParts {
  readonly partner: PartnerApi;
  readonly basePath: string;
  readonly bodyLimits: BodyLimits;
  readonly workOnLongPage: WorkOnLongPage;
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
  { basePath, bodyLimits, more = [] }: RouterOptions,
): (path: string, method?: string) => Location {
  const workOnLongPage = createLongPageQueues();
  const paths = [
    apiPath(basePath, '/jobs', { GET: createGetJobs(partner, workOnLongPage) }),
    apiPath(basePath, '/applications', {
      GET: createGetApplications(partner, workOnLongPage),
      POST: createPostApplications({ partner, bodyLimits }),
    }),
    apiPath(basePath, '/applications/{id}', { GET: createGetApplication(partner) }),
    ...more.flatMap((makePaths) => makePaths({ partner, basePath, bodyLimits, workOnLongPage })),
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

/** The methods of the API's paths. */
export type Method = 'GET' | 'POST' | 'PUT';

/** Makes a path with the routes of its methods. */
export function apiPath(
  basePath: string,
  route: RequestRoute,
  byMethod: Partial<Record<Method, Route>>,
  off: readonly Method[] = [],
): ApiPath {
  const { GET: get, ...others } = byMethod;
  const reading = get === undefined ? {} : { GET: get, HEAD: get };
  const routes = new Map<string, Route>(Object.entries<Route>({ ...reading, ...others }));
  const hidden = new Set<string>(off.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return { path: `${basePath}${route}`, route, allow: [...routes.keys()].join(', '), routes, hidden };
}
