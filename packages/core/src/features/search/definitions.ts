import { narrowApplications } from '../../groups/applications/narrow-applications.js';
import { type Claims, onHost } from '../../operator/command/claims.js';
import type { Definitions } from '../../operator/command/definition.js';
import { isTextUpTo, listField, oneOf, optional, prefixedId, value } from '../../operator/command/fields.js';
import type { SeeCompanies } from '../../operator/command/gate-rule.js';
import { record } from '../../operator/command/input.js';
import type { CommandRight } from '../../operator/command/rights.js';
import { search } from './commands.js';
import { SEARCH_KINDS, type SearchInput, type SearchKind, type SearchResult } from './search-types.js';
import { kindsOf, readSearchedText, type SearchedText } from './searched-text.js';

/** The partner's own id of an application is as long. */
const TEXT_MAX_LENGTH = 1_000;

/** As many as the rights of an actor can name. */
const MOST_PARTNERS = 100;

function canFind(given: unknown): boolean {
  return isTextUpTo(given, TEXT_MAX_LENGTH) && [...given.trim()].length >= 2;
}

/** Searches the whole installation. The cost does not grow with the applications or the log. */
export interface SearchCommands {
  /**
   * Searches (finds, looks up) people, applications, partners, keys, companies, jobs, events, requests and operations.
   * Returns at most 50 rows in each group, the best matches first. The words of a name may be in any order, without
   * case and accents, and may be beginnings: `chen me` finds Mei Chen. Erased candidates are found only by the
   * application.
   * @example
   * const { people, applications } = await operator.system.search({ text: 'ada reyes' });
   * const { jobs } = await operator.system.search({ text: 'night picker', kinds: ['job'] });
   */
  search(input: SearchInput): Promise<SearchResult>;
}

export const searchDefinitions: Definitions<SearchCommands> = {
  search: {
    summary: 'Finds people, applications and everything else by a name, an address, a number or an id',
    input: record({
      text: value<string>(
        canFind,
        `must be text of 2 to ${TEXT_MAX_LENGTH} characters, without blanks around it`,
        'text',
      ),
      kinds: optional(
        listField(oneOf(SEARCH_KINDS), {
          min: 1,
          max: SEARCH_KINDS.length,
          rule: `must be a list of ${SEARCH_KINDS.join(', ')}`,
        }),
        'Only these groups',
      ),
      partnerIds: optional(
        listField(prefixedId('partner'), {
          min: 1,
          max: MOST_PARTNERS,
          rule: `must be a list of 1 to ${MOST_PARTNERS} ids of partners`,
        }),
        'Only what belongs to these partners',
      ),
    }),
    right: rightsOf,
    claims: claimsOf,
    gate: { narrow: narrowFound },
    run: search,
  },
};

/** Replaces the names of companies that the actor's partners no longer see. */
async function narrowFound(
  found: SearchResult,
  _input: SearchInput,
  sees: SeeCompanies,
): Promise<SearchResult> {
  const applications = await narrowApplications(found.applications, sees);
  const byId = new Map(applications.map((application) => [application.id, application]));
  const people = found.people.map(({ application }) => ({
    application: byId.get(application.id) ?? application,
  }));
  return { ...found, people, applications };
}

const RIGHTS: { readonly [Kind in Exclude<SearchKind, 'application' | 'person'>]: CommandRight } = {
  partner: 'partners:read',
  key: 'keys:read',
  company: 'companies:read',
  job: 'jobs:read',
  event: 'deliveries:read',
  request: 'requests:read',
  operation: 'operations:read',
};

/** Returns the rights for the groups that can have something for the text. The input need not be valid. */
function rightsOf({ text, kinds }: SearchInput): readonly CommandRight[] {
  const searched = readSearchedText(String(text ?? ''));
  const asked: readonly SearchKind[] = Array.isArray(kinds) ? kinds : SEARCH_KINDS;
  const found = kindsOf(searched).filter((kind) => asked.includes(kind));
  return [...new Set(found.flatMap((kind) => rightsOfKind(kind, searched)))];
}

/** As in `applications.list`: a search reveals who applied, and trying out parts can spell out a whole name or number. */
function rightsOfKind(kind: SearchKind, { idOf, isPerson }: SearchedText): readonly CommandRight[] {
  if (kind === 'person') return isPerson ? ['candidates:search', 'candidates:read'] : ['candidates:search'];
  if (kind === 'application') return idOf === null ? ['candidates:search'] : ['applications:read'];
  return [RIGHTS[kind]];
}

/** A search without partners finds the objects of all. */
function claimsOf({ partnerIds }: SearchInput): Claims {
  if (!Array.isArray(partnerIds)) return onHost();
  const [first, ...others] = partnerIds.map((partnerId) => ({ on: 'partner', id: partnerId }) as const);
  return first === undefined ? onHost() : [first, ...others];
}
