import {
  APPLICATION_STATUSES,
  type ApplicationRecord,
  type ApplicationStatus,
  type UndecidedStatus,
} from '../../domain/application.js';
import type { KeyId } from '../../domain/ids.js';
import { type LastNameRange, lastNameRange } from '../../domain/last-name-key.js';
import type { Instant } from '../../domain/time.js';
import { onKey } from '../../operator/command/claims.js';
import type { CommandDefinition } from '../../operator/command/definition.js';
import {
  flag,
  instant,
  isTextUpTo,
  oneOf,
  optional,
  optionalId,
  page,
  value,
} from '../../operator/command/fields.js';
import { filter as filterOf, InputProblem } from '../../operator/command/input.js';
import type { CommandRight } from '../../operator/command/rights.js';
import { type KeyNames, withCompanyNames, withJobTitles, withKeyNames } from '../../operator/names.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { PhoneNumbers } from '../../ports/host-services.js';
import type { ApplicationScope, NewestPosition } from '../../ports/repositories/applications.js';
import type { Repositories } from '../../ports/storage.js';
import type { ApplicationFilter } from './application-filter.js';
import {
  type CandidateLookUp,
  candidate,
  readCandidatePage,
  readCandidateTarget,
} from './candidate-target.js';
import { narrowApplications } from './narrow-applications.js';
import { readFailedResumes, readUnchanged, undecidedStatus } from './waiting-applications.js';

/** An application in a list, with the names that belong to its ids. */
export interface ListedApplication extends ApplicationRecord, KeyNames {
  readonly companyName: string;
  readonly jobTitle: string;
}

type FilterName = Exclude<keyof ApplicationFilter, keyof PageOptions>;

const FILTER_NAMES = [
  ...(['email', 'phone', 'country'] as const),
  ...(['sourceApplicationId', 'lastNamePrefix', 'keyId', 'companyId', 'jobId'] as const),
  ...(['status', 'submittedSince', 'changedSince', 'erasedSince'] as const),
  ...(['unchangedSince', 'onlyFailedResumes'] as const),
] satisfies readonly FilterName[];

/** A checked filter. */
export type Lookup =
  | { readonly by: 'source_id'; readonly sourceApplicationId: string }
  | { readonly by: 'last_name'; readonly range: LastNameRange }
  | { readonly by: 'person'; readonly person: CandidateLookUp }
  | { readonly by: 'erasure'; readonly from: Instant }
  | { readonly by: 'unchanged'; readonly status: UndecidedStatus | null; readonly before: Instant }
  | { readonly by: 'failed_resume' }
  | { readonly by: 'change'; readonly keyId: KeyId; readonly from: Instant }
  | {
      readonly by: 'newest';
      readonly scope: ApplicationScope | null;
      readonly status: ApplicationStatus | null;
      readonly from: Instant;
    };

/** Lists the applications of one look-up. @throws InputProblem */
async function listApplications(
  read: Repositories,
  filter: ApplicationFilter,
  phones: PhoneNumbers,
): Promise<Page<ListedApplication>> {
  const lookup = lookupOf(filter, phones);
  const binding = [lookup.by, ...FILTER_NAMES.map((name) => filter[name] ?? null)];
  const { items: rows, nextCursor } = await readLookup(read, lookup, binding, filter);
  return { items: await nameApplications(read, rows), nextCursor };
}

/** Adds the names that belong to the ids of applications. */
export async function nameApplications(
  read: Repositories,
  rows: readonly ApplicationRecord[],
): Promise<readonly ListedApplication[]> {
  const named = await withKeyNames(read, rows);
  return withJobTitles(read, await withCompanyNames(read, named));
}

const WHAT_IS_POSSIBLE =
  'Pass `sourceApplicationId`, or `lastNamePrefix`, or `email`, or `phone` with or without `country`, or ' +
  '`erasedSince`, or one of `keyId`, `companyId` and `jobId` with or without `status` and `submittedSince`, or ' +
  '`keyId` and `changedSince`, or `unchangedSince` with or without `status`, or `onlyFailedResumes`, or no filter.';

export function lookupOf(filter: ApplicationFilter, phones: PhoneNumbers): Lookup {
  const given = FILTER_NAMES.filter((name) => ((filter[name] ?? false) as unknown) !== false);
  const { sourceApplicationId, lastNamePrefix, keyId, changedSince, erasedSince } = filter;
  const { status, submittedSince } = filter;
  const has = (...names: readonly FilterName[]) =>
    given.length === names.length && names.every((name) => given.includes(name));
  if (sourceApplicationId !== undefined && has('sourceApplicationId'))
    return { by: 'source_id', sourceApplicationId };
  if (lastNamePrefix !== undefined && has('lastNamePrefix')) {
    const range = lastNameRange(lastNamePrefix);
    if (range !== null) return { by: 'last_name', range };
    throw new InputProblem('lastNamePrefix must contain a letter');
  }
  if (has('email') || has('phone') || has('phone', 'country'))
    return { by: 'person', person: readCandidateTarget(filter, phones) };
  if (keyId !== undefined && changedSince !== undefined && has('keyId', 'changedSince'))
    return { by: 'change', keyId, from: changedSince };
  if (erasedSince !== undefined && has('erasedSince')) return { by: 'erasure', from: erasedSince };
  const { unchangedSince } = filter;
  if (unchangedSince !== undefined && (has('unchangedSince') || has('unchangedSince', 'status')))
    return { by: 'unchanged', before: unchangedSince, status: undecidedStatus(status) };
  if (has('onlyFailedResumes')) return { by: 'failed_resume' };
  const scopes = scopesOf(filter);
  const extra = given.filter((name) => !['status', 'submittedSince'].includes(name)).length - scopes.length;
  const isList = extra === 0 && (scopes.length === 1 || given.length === 0);
  if (!isList) throw new InputProblem(`${listed(given)} cannot be combined. ${WHAT_IS_POSSIBLE}`);
  return { by: 'newest', scope: scopes[0] ?? null, status: status ?? null, from: submittedSince ?? 0 };
}

function scopesOf({ keyId, companyId, jobId }: ApplicationFilter): readonly ApplicationScope[] {
  return [
    ...((keyId ?? undefined) === undefined ? [] : [{ keyId } as ApplicationScope]),
    ...((companyId ?? undefined) === undefined ? [] : [{ companyId } as ApplicationScope]),
    ...((jobId ?? undefined) === undefined ? [] : [{ jobId } as ApplicationScope]),
  ];
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

const SOURCE_ID_MAX_LENGTH = 1000;
const PREFIX_MAX_LENGTH = 60;

/** The filters of `list` and `count`. */
export const LOOKUPS = {
  sourceApplicationId: optional(
    value<string>(
      (given) => isTextUpTo(given, SOURCE_ID_MAX_LENGTH),
      `must be text of at most ${SOURCE_ID_MAX_LENGTH} characters`,
      'text',
    ),
    'Only with this id at the partner',
  ),
  lastNamePrefix: optional(
    value<string>(
      (given) => isTextUpTo(given, PREFIX_MAX_LENGTH),
      `must be text of 1 to ${PREFIX_MAX_LENGTH} characters`,
      'text',
    ),
    'Only last names that begin with this text',
  ),
  email: candidate.email,
  phone: candidate.phone,
  country: candidate.country,
  keyId: optionalId('key'),
  companyId: optionalId('company', 'Only those to jobs of this company'),
  jobId: optionalId('job', 'Only those to this job'),
  status: optional(oneOf(APPLICATION_STATUSES), 'Only in this status, of a key, a company or a job'),
  submittedSince: optional(instant, 'Only submitted since, to a key, a company or a job'),
  changedSince: optional(instant, 'In the order of changes, of a key'),
  unchangedSince: optional(instant, 'Only without a decision, and unchanged since, longest first'),
  onlyFailedResumes: optional(flag, 'Only without a decision, and with a résumé that failed'),
  erasedSince: optional(instant, 'Only those whose candidate was erased since'),
};

export const listDefinition: CommandDefinition<ApplicationFilter | undefined, Page<ListedApplication>> = {
  summary:
    'Lists applications: newest first, of a person, by last name, by id at the partner, by change, or what waits',
  input: filterOf({ ...LOOKUPS, ...page }),
  right: rightsOf,
  claims: onKey,
  gate: {
    narrow: async (found, _input, sees) => ({ ...found, items: await narrowApplications(found.items, sees) }),
  },
  run: ({ read, settings }, filter) => listApplications(read, filter, settings.phones),
};

/**
 * Returns the rights for a filter. A search reveals who applied: even a partner's own id may be an e-mail address. A
 * search by name needs a second right, because trying out beginnings can spell out a whole name.
 */
export function rightsOf({ lastNamePrefix, ...others }: ApplicationFilter): readonly CommandRight[] {
  if (lastNamePrefix !== undefined) return ['candidates:search', 'candidates:read'];
  const { sourceApplicationId, email, phone } = others;
  const isSearch = [sourceApplicationId, email, phone].some((value) => value !== undefined);
  return [isSearch ? 'candidates:search' : 'applications:read'];
}

const NEWEST_CURSORS = definePageCursors<NewestPosition>('applications by submission', {
  submittedAt: 'number',
  id: 'id',
});

const CHANGE_CURSORS = definePageCursors<Pick<ApplicationRecord, 'changedAt'>>('applications by change', {
  changedAt: 'number',
});

const ERASURE_CURSORS = definePageCursors<Pick<ApplicationRecord, 'erasedAt' | 'id'>>(
  'applications by erasure',
  { erasedAt: 'number', id: 'id' },
);

const SOURCE_ID_CURSORS = definePageCursors<Pick<ApplicationRecord, 'keyId'>>('applications by source id', {
  keyId: 'id',
});

/** A cursor must not contain a name, because it may be logged. */
const LAST_NAME_CURSORS = definePageCursors<Pick<ApplicationRecord, 'id'>>('applications by last name', {
  id: 'id',
});

export function readLookup(
  read: Pick<Repositories, 'applications' | 'candidates'>,
  lookup: Lookup,
  binding: readonly unknown[],
  page: PageOptions,
): Promise<Page<ApplicationRecord>> {
  const { applications } = read;
  switch (lookup.by) {
    case 'unchanged':
      return readUnchanged(read, lookup, page);
    case 'failed_resume':
      return readFailedResumes(read, page);
    case 'source_id':
      return readPage(SOURCE_ID_CURSORS, binding, page, ({ after, limit }) => {
        const { sourceApplicationId } = lookup;
        return applications.listBySourceId({ sourceApplicationId, after: after?.keyId ?? null, limit });
      });
    case 'last_name':
      return readPage(LAST_NAME_CURSORS, binding, page, async ({ after, limit }) => {
        const { range } = lookup;
        const found = await applications.listByLastName({ range, after: after?.id ?? null, limit });
        if (found !== null) return found;
        throw new InputProblem(
          'cursor must be new: the last application of its page was erased. Start again without it',
        );
      });
    case 'person':
      return readCandidatePage(read, lookup.person, binding, page);
    case 'erasure':
      return readPage(ERASURE_CURSORS, binding, page, ({ after, limit }) => {
        const position = after === null ? null : { id: after.id, erasedAt: after.erasedAt ?? 0 };
        return applications.listErased({ from: lookup.from, after: position, limit });
      });
    case 'change':
      return readPage(CHANGE_CURSORS, binding, page, ({ after, limit }) => {
        const { keyId, from } = lookup;
        return applications.listChanges({ keyId, after: after?.changedAt ?? from - 1, limit });
      });
    case 'newest':
      return readPage(NEWEST_CURSORS, binding, page, ({ after, limit }) => {
        const { scope, status, from } = lookup;
        return applications.listNewest({ scope, status, from, after, limit });
      });
  }
}
