import type { ApplicationRecord } from '../domain/application.js';
import type { Repositories } from '../ports/storage.js';
import { onKey } from './command/claims.js';
import type { CommandDefinition } from './command/definition.js';
import { LIST_LIMIT } from './command/fields.js';
import { filter } from './command/input.js';
import {
  type ApplicationFilter,
  LOOKUPS,
  type Lookup,
  lookupOf,
  readLookup,
  rightsOf,
} from './list-applications.js';
import type { Page, PageOptions } from './page-cursor.js';

/** A number of applications. */
export interface ApplicationCount {
  /** At most 10,000. */
  readonly count: number;
  /** False if there are more: counting stops at 10,000. */
  readonly isExact: boolean;
}

export const countDefinition: CommandDefinition<
  Omit<ApplicationFilter, keyof PageOptions> | undefined,
  ApplicationCount
> = {
  summary: 'Counts the applications of a filter of the list, up to 10,000',
  input: filter(LOOKUPS),
  right: rightsOf,
  claims: onKey,
  run: ({ read, settings }, asked) => countApplications(read, lookupOf(asked, settings.phones)),
};

const MOST_COUNTED = 10_000;

async function countApplications(read: Repositories, lookup: Lookup): Promise<ApplicationCount> {
  const limit = LIST_LIMIT.max;
  let count = 0;
  let cursor: string | undefined;
  do {
    const page: Page<ApplicationRecord> = await readLookup(read, lookup, [], { cursor, limit });
    count += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && count < MOST_COUNTED);
  return { count, isExact: cursor === undefined };
}
