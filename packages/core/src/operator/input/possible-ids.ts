import { isStorableText } from '../../domain/text.js';
import type { Repositories } from '../../ports/storage.js';

/**
 * The repositories, for ids as a host hands them over: what no database could have stored as an id is not there,
 * and the database is not asked for it. PostgreSQL would refuse such a text and abort the host's transaction.
 */
export function onlyPossibleIds(repositories: Repositories): Repositories {
  const { partners, keys, companies, access, jobs, applications, endpoints, events, deliveries } =
    repositories;
  return {
    ...repositories,
    partners: replace(partners, {
      find: async (id) => (isPossible(id) ? partners.find(id) : null),
    }),
    keys: replace(keys, {
      find: async (id) => (isPossible(id) ? keys.find(id) : null),
      findForUpdate: async (id) => (isPossible(id) ? keys.findForUpdate(id) : null),
      list: async (partnerId) => (isPossible(partnerId) ? keys.list(partnerId) : []),
    }),
    companies: replace(companies, {
      find: async (id) => (isPossible(id) ? companies.find(id) : null),
      findForUpdate: (ids) => findPossible(ids, (possible) => companies.findForUpdate(possible)),
    }),
    access: replace(access, {
      find: async (keyId, companyId) =>
        isPossible(keyId) && isPossible(companyId) ? access.find(keyId, companyId) : null,
      listOfKey: async (keyId) => (isPossible(keyId) ? access.listOfKey(keyId) : []),
    }),
    jobs: replace(jobs, {
      find: (ids) => findPossible(ids, (possible) => jobs.find(possible)),
      listOfCompany: async (companyId, state) =>
        isPossible(companyId) ? jobs.listOfCompany(companyId, state) : [],
    }),
    applications: replace(applications, {
      find: (ids) => findPossible(ids, (possible) => applications.find(possible)),
      findForUpdate: (ids) => findPossible(ids, (possible) => applications.findForUpdate(possible)),
      listRecent: async (filter) =>
        isPossible(filter.jobId) && isPossible(filter.companyId) ? applications.listRecent(filter) : [],
    }),
    endpoints: replace(endpoints, {
      find: async (keyId) => (isPossible(keyId) ? endpoints.find(keyId) : null),
      findForUpdate: async (keyId) => (isPossible(keyId) ? endpoints.findForUpdate(keyId) : null),
      backlogs: async (keyId, now, bound) => (isPossible(keyId) ? endpoints.backlogs(keyId, now, bound) : []),
    }),
    events: replace(events, {
      find: (keyId, ids) =>
        findPossible(ids, async (possible) =>
          isPossible(keyId) ? events.find(keyId, possible) : possible.map(() => null),
        ),
      listNewest: async (filter) => (isPossible(filter.keyId) ? events.listNewest(filter) : []),
    }),
    deliveries: replace(deliveries, {
      find: (keyId, ids) =>
        findPossible(ids, async (possible) =>
          isPossible(keyId) ? deliveries.find(keyId, possible) : possible.map(() => null),
        ),
      list: async (filter) => (isPossible(filter.keyId) ? deliveries.list(filter) : []),
      findAttempts: async (keyId, eventId) =>
        isPossible(keyId) && isPossible(eventId) ? deliveries.findAttempts(keyId, eventId) : [],
      listAttempts: async (filter) => (isPossible(filter.keyId) ? deliveries.listAttempts(filter) : []),
    }),
  };
}

/** Null stands for all. */
function isPossible(id: string | null): boolean {
  return id === null || isStorableText(id);
}

/** Looks those up that can be there; what is not found is null, in the order asked. */
async function findPossible<Id extends string, Row>(
  ids: readonly Id[],
  find: (possible: readonly Id[]) => Promise<readonly (Row | null)[]>,
): Promise<readonly (Row | null)[]> {
  const possible = ids.filter(isPossible);
  if (possible.length === ids.length) return find(ids);
  if (possible.length === 0) return ids.map(() => null);
  const found = await find(possible);
  const rows = new Map(possible.map((id, index) => [id, found[index] ?? null]));
  return ids.map((id) => rows.get(id) ?? null);
}

/** The object with other methods in the place of some. The rest is still called on itself: it may be of a class. */
function replace<Repository extends object>(
  repository: Repository,
  methods: Partial<Repository>,
): Repository {
  return new Proxy(methods as Repository, {
    get(_, name) {
      if (name in methods) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(repository, name);
      return typeof value === 'function' ? value.bind(repository) : value;
    },
  });
}
