import type { Company } from '../../domain/access.js';
import type { PartnerEvent } from '../../domain/event.js';
import type { PartnerId } from '../../domain/ids.js';
import type { Partner } from '../../domain/partner-key.js';
import type { ListedApplication } from '../../groups/applications/list-applications.js';
import type { ListedJob } from '../../groups/jobs/job-commands.js';
import type { KeyView } from '../../groups/partners/key-commands.js';
import type { KeyNames } from '../../operator/names.js';
import type { ListedOperation } from '../operations/commands.js';
import type { LoggedRequest } from '../request-log/find-request.js';

/** The groups of a search. */
export const SEARCH_KINDS = [
  'person',
  'application',
  'partner',
  'key',
  'company',
  'job',
  'event',
  'request',
  'operation',
] as const;

/** A group of a search. */
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A text to search for. */
export interface SearchInput {
  /**
   * A name, an e-mail address, a phone number or an id, of 2 to 1,000 characters. Words of a name may be beginnings,
   * and need two characters. Also found: the last four digits or more of a number, a partner's own id of an
   * application, and the last four characters of a key's secret.
   */
  readonly text: string;
  /** Only these groups; by default, all. */
  readonly kinds?: readonly SearchKind[] | undefined;
  /**
   * Only objects of these partners, at most 100; default: of all. They are their applications, keys, events, requests
   * and operations, and the companies to which they have access, with their jobs.
   */
  readonly partnerIds?: readonly PartnerId[] | undefined;
}

/** A person, by the newest of the applications that the search has found for their e-mail address. */
export interface FoundPerson {
  readonly application: ListedApplication;
}

/** An event, without its body. */
export interface FoundEvent extends Pick<PartnerEvent, 'id' | 'type' | 'keyId' | 'at'>, KeyNames {}

/** What a search has found: at most 50 rows in each group. The best matches come first, and newer ones before older. */
export interface SearchResult {
  /** Each by their newest application that the search found. */
  readonly people: readonly FoundPerson[];
  readonly applications: readonly ListedApplication[];
  readonly partners: readonly Partner[];
  readonly keys: readonly KeyView[];
  readonly companies: readonly Company[];
  readonly jobs: readonly ListedJob[];
  readonly events: readonly FoundEvent[];
  readonly requests: readonly LoggedRequest[];
  readonly operations: readonly ListedOperation[];
  /**
   * The groups in which there may be more. A search for several words reads at most 5,000 last names, or 1,000 names of
   * other objects, for each word. With `partnerIds`, a group is here only if it has more than 50 rows.
   */
  readonly incomplete: readonly SearchKind[];
}
