import { type Claims, onHost } from '../../operator/command/claims.js';
import type { CommandDefinition } from '../../operator/command/definition.js';
import { isTextUpTo, listField, oneOf, optional, prefixedId, value } from '../../operator/command/fields.js';
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

export const searchDefinition: CommandDefinition<SearchInput, SearchResult> = {
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
  run: search,
};

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
