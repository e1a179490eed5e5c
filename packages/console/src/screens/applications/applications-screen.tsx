import type { ApplicationFilter, ListedApplication, Page } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { sectionsOf } from '../../features/features.js';
import type {
  Fields,
  PageContent,
  Redirection,
  Screen,
  ScreenAction,
  ScreenCall,
  ShowPage,
} from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { ConsoleRight } from '../../rights.js';
import { SelectField, TextField } from '../../view/forms.js';
import { choosing } from '../parts/choose-rows.js';
import {
  cursorOf,
  defineList,
  type ListDeclaration,
  type ListProblem,
  type ListResult,
} from '../parts/define-list.js';
import { exportCsv } from '../parts/export-csv.js';
import { companyOptions } from '../parts/list-companies.js';
import { filterOf, type ReadFilter } from '../parts/list-filter.js';
import { applicationColumns, candidateName } from './application-columns.js';
import {
  isById,
  lastNameOf,
  phoneOf,
  type QueryKind,
  recognizeSearch,
  SEARCH_CHOICES,
  type SearchedId,
} from './search-query.js';

const SCOPES = ['key', 'job', 'company'];

const FILTER = filterOf(
  'applications.list',
  [
    { name: 'key', label: LABELS.one.partnerKey },
    { name: 'job', label: LABELS.one.job, isPinned: true },
    { name: 'company', label: LABELS.one.company, load: companyOptions },
    { name: 'status', label: LABELS.application.status },
    { name: 'since', field: 'submittedSince', label: 'Submitted since (UTC)' },
  ],
  SCOPES,
);

/** Each list reads one range of one index (decision 101). */
function readFilter(fields: Fields): ReadFilter<ApplicationFilter> {
  const read = FILTER.read(fields);
  if ('problem' in read || SCOPES.some((name) => fields.text(name) !== null)) return read;
  if (Object.keys(read.filter).length === 0) return read;
  return { problem: 'The filter also needs a partner key or a company.' };
}

const APPLICATIONS: ListDeclaration<ListedApplication> = {
  title: LABELS.all.applications,
  path: '/applications',
  fields: FILTER.fields,
  rules: [
    ...FILTER.rules,
    {
      these: ['status', 'since'],
      need: SCOPES,
      text: (labels) => `A status or a time also needs one of: ${labels.join(', ')}.`,
    },
  ],
  read: async (call, fields) => {
    const read = readFilter(fields);
    if ('problem' in read) return read;
    const isForOwn = call.gate.isForAllPartners || read.filter.keyId !== undefined;
    if (!isForOwn) return { problem: ONLY_BY_KEY, status: 200 };
    const sections = await sectionsOf('applications', { call, filter: read.filter });
    return {
      ...(await call.gate.call('applications.list', { ...read.filter, cursor: cursorOf(fields) })),
      caption: LABELS.all.applications,
      empty: 'No application matches.',
      none: 'There is no application yet.',
      ...choosing(sections, applicationColumns(call), (row) => [row.id, candidateName(row)]),
    };
  },
  filter: (form, call) => <SearchSection call={call} form={form} />,
};

const ONLY_BY_KEY =
  'Your rights cover some partners. Choose one of their keys to list its applications, or open an application by its id.';

/**
 * Searches for the text in the search box. An id of the library leads to a page with the id in its URL. Any other text
 * stays in the body of the request, because URLs end up in histories and access logs.
 */
async function search(call: ScreenAction): Promise<PageContent | Redirection> {
  const text = call.form.text('q');
  if (text === null) return { kind: 'redirect', to: call.at('/applications') };
  const choice = SEARCH_CHOICES.find(([value]) => value === call.form.text('by'))?.[0];
  const kind = choice ?? recognizeSearch(text);
  if (!isById(kind)) return listFound(call, kind, text);
  const to = addressFor(call, kind, text);
  return to === null ? listFound(call, 'source', text) : { kind: 'redirect', to };
}

/** The page of an id. Null if the actor may not open it. */
function addressFor(call: ScreenAction, kind: SearchedId, id: string): string | null {
  switch (kind) {
    case 'application':
      return call.at(`/applications/${id}`);
    case 'job':
    case 'company':
    case 'key':
      return call.at('/applications', { [kind]: id });
    case 'partner':
      return call.link('partners', `/${id}`);
    case 'event':
      return call.link('deliveries', '', { event: id });
  }
}

function listFound(call: ScreenAction, kind: QueryKind, text: string): Promise<PageContent | Redirection> {
  const list = defineList<ListedApplication>({
    ...APPLICATIONS,
    filter: (form) => <SearchSection call={call} form={form} searched={call.form} />,
    read: () => readFound(call, kind, text, cursorOf(call.form)),
  });
  return list(call);
}

async function readFound(
  call: ScreenCall,
  kind: QueryKind,
  text: string,
  cursor: string | undefined,
): Promise<ListResult<ListedApplication> | ListProblem> {
  const { gate } = call;
  const missing = RIGHTS[kind].find((right) => !gate.may(right));
  if (missing !== undefined) {
    const problem = `Your rights do not include ${missing}. A search by ${NAMES[kind]} needs ${RIGHTS[kind].join(' and ')}.`;
    return { problem, status: 403 };
  }
  if (!gate.isForAllPartners) return { problem: ONLY_BY_KEY, status: 403 };
  return {
    ...(await find(call, kind, text, { cursor })),
    caption: CAPTIONS[kind],
    empty: EMPTY[kind],
    columns: applicationColumns(call),
    posted: [
      ['q', text],
      ['by', kind],
    ],
  };
}

/**
 * The rights that each kind of search needs. With searches for the beginnings of last names, a person could spell out a
 * name, so these also need the right to see candidates. A partner's own id may be an e-mail address, so it needs the
 * same right as one.
 */
const RIGHTS: Readonly<Record<QueryKind, readonly ConsoleRight[]>> = {
  email: ['candidates:search'],
  phone: ['candidates:search'],
  name: ['candidates:search', 'candidates:read'],
  source: ['candidates:search'],
};

const NAMES = { email: 'e-mail', phone: 'phone', name: 'last name', source: 'source id' } as const;

const CAPTIONS = {
  email: 'Applications with this e-mail address',
  phone: 'Applications with this phone number',
  name: 'Applications by last name',
  source: 'Applications with this source id',
} as const;

const EMPTY = {
  email:
    'No application has this e-mail address. Erased candidates are only found by the id of the application.',
  phone: 'No application has this phone number. Write it with its country code, such as +1 415 555 0123.',
  name: 'No last name starts like this. To search for a partner’s own id, choose “Source id”.',
  source:
    'No application has this source id. Write a phone number with its country code, such as +1 415 555 0123, and a name without digits.',
} as const;

async function find(
  { gate }: ScreenCall,
  kind: QueryKind,
  text: string,
  page: { readonly cursor: string | undefined },
): Promise<Page<ListedApplication>> {
  switch (kind) {
    case 'name':
      return gate.call('applications.list', { lastNamePrefix: lastNameOf(text), ...page });
    case 'source':
      return gate.call('applications.list', { sourceApplicationId: text, ...page });
    case 'email':
      return gate.call('applications.list', { email: text, ...page });
    case 'phone':
      return gate.call('applications.list', { phone: phoneOf(text), ...page });
  }
}

/** Exports the results of a search. The audit has its kind, but not its text, which may be personal data. */
const exportFound = exportCsv<ListedApplication>({
  title: LABELS.all.applications,
  path: '/applications',
  fields: [
    { name: 'q', kind: 'text' },
    { name: 'by', kind: 'choice' },
  ],
  read: async (call, fields) => {
    const kind = SEARCH_CHOICES.find(([value]) => value === fields.text('by'))?.[0];
    if (kind === undefined || isById(kind)) return { problem: 'Search again, then export the results.' };
    return readFound(call, kind, fields.text('q') ?? '', cursorOf(fields));
  },
});

const showApplications = defineList(APPLICATIONS);

const showAndExport: ShowPage = Object.assign((call: ScreenCall) => showApplications(call), {
  csv: (call: ScreenAction) =>
    call.form.text('q') === null ? showApplications.csv(call) : exportFound(call),
});

interface SearchSectionProps {
  readonly call: ScreenCall;
  readonly form: Child;
  /** The fields of the last search. */
  readonly searched?: Fields;
}

/** The box to search in, and the filter. */
function SearchSection({ call, form, searched }: SearchSectionProps) {
  const unchanged = call.gate.isForAllPartners ? call.link('queues', '/unchanged', { days: '3' }) : null;
  return (
    <>
      <details class="filter card">
        <summary>Search</summary>
        <form class="search" method="post" action={call.at('/applications')}>
          <TextField
            name="q"
            type="search"
            value={searched?.text('q') ?? null}
            maxLength={1000}
            label="Name, e-mail, phone or any id"
            hint="Only ids of the console get into the address of the page."
          />
          <SelectField
            name="by"
            label="Search by"
            any="What it looks like"
            value={searched?.text('by') ?? null}
            options={SEARCH_CHOICES}
          />
          <p class="buttons">
            <button type="submit">Search</button>
          </p>
        </form>
      </details>
      {form}
      {unchanged === null ? null : (
        <p>
          <a href={unchanged}>Applications that nobody has changed for 3 days</a>
        </p>
      )}
    </>
  );
}

/** Finds applications: by details that a partner or a candidate gives, or by key, job and company. */
export const applicationsScreen: Screen = {
  name: 'applications',
  label: LABELS.all.applications,
  path: '/applications',
  rights: ['applications:read'],
  pages: { '/applications': showAndExport },
  actions: { '/applications': search },
};
