import type {
  ApplicationDetails,
  ApplicationFilter,
  CandidateApplication,
  Company,
  Job,
  KeyId,
  Partner,
} from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { ScreenCall } from '../http/screen.js';
import type { FactRow } from '../view/parts.js';

type OfPage<Subject = unknown> = { readonly call: ScreenCall } & Subject;

/** The pages with room for sections of features, and what a section knows there. */
export interface Sections {
  /** `revealed` has the candidate, if the actor has just opened it. */
  readonly application: OfPage<{
    readonly application: ApplicationDetails;
    readonly revealed: CandidateApplication | null;
  }>;
  /** The list, with its filter. */
  readonly applications: OfPage<{ readonly filter: ApplicationFilter }>;
  readonly companies: OfPage;
  readonly company: OfPage<{ readonly company: Company }>;
  readonly endpoints: OfPage;
  readonly job: OfPage<{ readonly job: Job }>;
  readonly jobs: OfPage;
  readonly key: OfPage<{ readonly keyId: KeyId }>;
  readonly overview: OfPage;
  readonly partner: OfPage<{ readonly partner: Partner }>;
}

/** What a section shows on a page, in the places that the page has. */
export interface SectionParts {
  /** Above what the page itself shows. */
  readonly top?: Child;
  /** In the midst of it. */
  readonly middle?: Child;
  /** Below it. */
  readonly end?: Child;
  /** Among its acts. */
  readonly buttons?: Child;
  readonly facts?: readonly FactRow[];
  /** Faults, for the headline of the overview. */
  readonly troubles?: readonly string[];
}

/** Shows what a feature has to say on a page. */
export type ShowSection<Place extends keyof Sections> = (
  page: Sections[Place],
) => SectionParts | Promise<SectionParts>;
