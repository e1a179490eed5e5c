import type { KeyId } from '@partner-hiring/core';
import { PORTAL_SCREENS } from '../../packages/console/src/portal/screens/screens.js';
import type { Platform } from '../console/platform.js';

/** A partner's own objects, for the addresses of its pages. */
export interface ObjectsOfPartner {
  readonly keyIds: readonly KeyId[];
  readonly applicationIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly requestIds: readonly string[];
}

/** Returns up to three of a partner's own objects of each kind. */
export async function findObjectsOf(
  { fixture: { operator } }: Pick<Platform, 'fixture'>,
  partnerId: Platform['acme']['partnerId'],
): Promise<ObjectsOfPartner> {
  const { items: keys } = await operator.keys.list({ partnerId });
  const keyIds = keys.map(({ key }) => key.id);
  const limit = 3;
  const applications = await Promise.all(keyIds.map((keyId) => operator.applications.list({ keyId, limit })));
  const deliveries = await operator.deliveries.list({ partnerId, limit });
  const requests = await operator.requests.list({ partnerId, limit });
  return {
    keyIds,
    applicationIds: applications.flatMap(({ items }) => items.map(({ id }) => id)),
    eventIds: deliveries.items.map(({ eventId }) => eventId),
    requestIds: requests.items.map(({ requestId }) => requestId),
  };
}

/** The ids that stand for each parameter of a path. */
const IDS: Readonly<Record<string, (own: ObjectsOfPartner) => readonly string[]>> = {
  '/keys/:id': ({ keyIds }) => keyIds,
  '/endpoints/:keyId': ({ keyIds }) => keyIds,
  '/go-live/:keyId': ({ keyIds }) => keyIds,
  '/deliveries/:eventId': ({ eventIds }) => eventIds,
  '/requests/:requestId': ({ requestIds }) => requestIds,
  '/applications/:id': ({ applicationIds }) => applicationIds,
};

/** Returns the paths of a route for objects of each kind. A screen with new parameters adds a row to `IDS`. */
export function pathsOf(route: string, own: ObjectsOfPartner): readonly string[] {
  const [, start] = /^(\/[\w-]+\/:\w+)/.exec(route) ?? [];
  if (start === undefined) return [route];
  const ids = IDS[start];
  if (ids === undefined) throw new Error(`Add the ids of ${start} to test/portal/portal-pages.ts.`);
  return ids(own).map((id) => route.replace(/:\w+/, id));
}

/** The routes of all pages. */
export const PAGE_ROUTES: readonly string[] = PORTAL_SCREENS.flatMap(({ pages }) => Object.keys(pages));

/** The routes of all acts. */
export const ACT_ROUTES: readonly string[] = PORTAL_SCREENS.flatMap(({ actions = {} }) =>
  Object.keys(actions),
);

/** Returns the paths of example pages of every screen, below the portal's path. */
export function examplePagesOf(own: ObjectsOfPartner): readonly string[] {
  const [keyId = ''] = own.keyIds;
  const withQuery = [
    '/requests?errors=yes',
    '/requests?missing=yes',
    `/requests/find?id=${own.requestIds[0] ?? ''}`,
    `/deliveries?key=${keyId}&state=dead`,
    '/deliveries?state=pending',
    '/deliveries?state=mended',
    '/requests/none',
    '/nothing-here',
  ];
  return [...new Set([...PAGE_ROUTES.flatMap((route) => pathsOf(route, own)), ...withQuery])];
}

/** A form: the path of its act, and its fields. */
export type FormOfPartner = readonly [path: string, fields: Readonly<Record<string, string>>];

/** The fields of acts that need some. */
const FIELDS: Readonly<Record<string, (own: ObjectsOfPartner) => Readonly<Record<string, string>>>> = {
  '/applications': () => ({ q: 'no such id' }),
  '/endpoints/:keyId/url': () => ({ url: 'http://10.0.0.1/hooks' }),
  '/deliveries/resend-since': ({ keyIds }) => ({ key: keyIds[0] ?? '', since: '2000-01-01T00:00' }),
};

/** Returns forms of every act that show a page: questions before acts, and refusals. */
export function exampleFormsOf(own: ObjectsOfPartner): readonly FormOfPartner[] {
  return ACT_ROUTES.flatMap((route) =>
    pathsOf(route, own).map((path) => [path, FIELDS[route]?.(own) ?? {}] as const),
  );
}
