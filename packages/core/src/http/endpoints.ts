import type { RequestRoute } from '../domain/request-log.js';
import type { PartnerApi } from '../partner/partner-api.js';
import { createLongPageQueues } from './long-pages.js';
import type { BodyLimits } from './message.js';
import type { Route } from './route.js';
import { createGetApplication } from './routes/get-application.js';
import { createGetEvents } from './routes/get-events.js';
import { createGetApplications, createGetJobs } from './routes/lists.js';
import { createPostApplications } from './routes/post-applications.js';

export interface ApiEndpoint {
  readonly path: string;
  /** The path without the base path. */
  readonly route: RequestRoute;
  readonly allow: string;
  readonly routes: ReadonlyMap<string, Route>;
}

export interface Location {
  readonly endpoint: ApiEndpoint | null;
  readonly pathParameter: string;
}

const NOWHERE: Location = { endpoint: null, pathParameter: '' };

/** Spec: Endpoints. */
export function createEndpoints(
  partner: PartnerApi,
  options: { readonly basePath: string; readonly bodyLimits: BodyLimits; readonly servesEvents?: boolean },
): (path: string) => Location {
  const { basePath, bodyLimits, servesEvents = false } = options;
  const workOnLongPage = createLongPageQueues();
  const jobs = endpoint(basePath, '/jobs', createGetJobs(partner, workOnLongPage));
  const applications = endpoint(
    basePath,
    '/applications',
    createGetApplications(partner, workOnLongPage),
    createPostApplications({ partner, bodyLimits }),
  );
  const application = endpoint(basePath, '/applications/{id}', createGetApplication(partner));

  const lists = [jobs, applications];
  if (servesEvents) lists.push(endpoint(basePath, '/events', createGetEvents(partner, workOnLongPage)));
  const fixed = new Map<string, Location>(
    lists.map((each) => [each.path, { endpoint: each, pathParameter: '' }]),
  );
  const parent = `${basePath}/applications/`;

  return (path) => {
    const found = fixed.get(path);
    if (found !== undefined) return found;
    if (!path.startsWith(parent)) return NOWHERE;
    const pathParameter = path.slice(parent.length);
    if (pathParameter === '' || pathParameter.includes('/')) return NOWHERE;
    return { endpoint: application, pathParameter };
  };
}

function endpoint(basePath: string, route: RequestRoute, get: Route, post?: Route): ApiEndpoint {
  const routes = new Map([
    ['GET', get],
    ['HEAD', get],
  ]);
  if (post !== undefined) routes.set('POST', post);
  return { path: `${basePath}${route}`, route, allow: [...routes.keys()].join(', '), routes };
}
