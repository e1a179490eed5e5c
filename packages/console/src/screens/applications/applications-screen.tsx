import type { CandidateApplication, KeyView, ListedApplication, Page } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type {
  Fields,
  PageContent,
  Redirection,
  Screen,
  ScreenAction,
  ScreenCall,
} from '../../http/screen.js';
import type { ConsoleRight } from '../../rights.js';
import { Pager, PostedPager } from '../../view/data-table.js';
import { FilterForm, IdField, SelectField, TextField } from '../../view/forms.js';
import { Note, Section } from '../../view/parts.js';
import { ApplicationTable } from './application-table.js';
import { LIST_FIELDS, readListFilter, STATUS_CHOICES } from './list-filter.js';
import {
  isById,
  lastNameOf,
  phoneOf,
  recognizeSearch,
  SEARCH_CHOICES,
  type SearchedId,
  type SearchKind,
} from './search-query.js';

/** Finds applications: by what a partner or a candidate says, or by key, job and company. */
export const applicationsScreen: Screen = {
  name: 'applications',
  label: 'Applications',
  path: '/applications',
  rights: ['applications:read'],
  pages: { '/applications': showApplications },
  actions: { '/applications': search },
};

async function showApplications(call: ScreenCall): Promise<PageContent> {
  const { keys } = await listKeysInScope(call.gate);
  const read = readListFilter(call.query);
  if ('problem' in read) return page(call, keys, <Note tone="warn">{read.problem}</Note>, 400);
  const isForOwn = call.gate.isForAllPartners || read.filter.keyId !== undefined;
  if (!isForOwn) return page(call, keys, <Note>{ONLY_BY_KEY}</Note>);
  const cursor = call.query.text('cursor');
  const found = await call.gate.call('applications.list', {
    ...read.filter,
    cursor: cursor ?? undefined,
  });
  const linked = Object.fromEntries(LIST_FIELDS.map((name) => [name, call.query.text(name)]));
  const results = (
    <>
      <ApplicationTable
        call={call}
        caption="Applications"
        rows={found.items}
        empty="No application matches."
      />
      <Pager
        first={cursor === null ? null : call.at('/applications', linked)}
        next={
          found.nextCursor === null ? null : call.at('/applications', { ...linked, cursor: found.nextCursor })
        }
      />
    </>
  );
  return page(call, keys, results);
}

const NOT_SEARCHED: Pick<Fields, 'text'> = { text: () => null };

const ONLY_BY_KEY =
  'Your rights cover some partners. Choose one of their keys to list its applications, or open an application by its id.';

/**
 * Searches by the text of the box. An id of ours leads to an address. Every other text stays in the body of the request:
 * an address would end up in histories and access logs.
 */
async function search(call: ScreenAction): Promise<PageContent | Redirection> {
  const text = call.form.text('q');
  if (text === null) return { kind: 'redirect', to: call.at('/applications') };
  const choice = SEARCH_CHOICES.find(([value]) => value === call.form.text('by'))?.[0];
  const kind = choice ?? recognizeSearch(text);
  if (!isById(kind)) return showSearch(call, kind, text);
  const to = addressFor(call, kind, text);
  return to === null ? showSearch(call, 'source', text) : { kind: 'redirect', to };
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

async function showSearch(call: ScreenAction, kind: SearchKind, text: string): Promise<PageContent> {
  const { gate, form } = call;
  const { keys } = await listKeysInScope(gate);
  const missing = RIGHTS[kind].find((right) => !gate.may(right));
  if (missing !== undefined) {
    const problem = `Your rights do not include ${missing}. A search by ${NAMES[kind]} needs ${RIGHTS[kind].join(' and ')}.`;
    return page(call, keys, <Note tone="warn">{problem}</Note>, 403, form);
  }
  if (!gate.isForAllPartners) return page(call, keys, <Note tone="warn">{ONLY_BY_KEY}</Note>, 403, form);
  const cursor = form.text('cursor');
  const found = await find(call, kind, text, cursor === null ? {} : { cursor });
  const results = (
    <>
      <ApplicationTable call={call} caption={CAPTIONS[kind]} rows={found.items} empty={EMPTY[kind]} />
      <PostedPager
        action={call.at('/applications')}
        fields={[
          ['q', text],
          ['by', kind],
        ]}
        next={found.nextCursor}
      />
    </>
  );
  return page(call, keys, results, 200, form);
}

/**
 * Somebody could spell out a last name by searching for its beginnings, so these need the right to see candidates. A partner's
 * own id may be an e-mail address.
 */
const RIGHTS: Readonly<Record<SearchKind, readonly ConsoleRight[]>> = {
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
  { gate }: ScreenAction,
  kind: SearchKind,
  text: string,
  page: { readonly cursor?: string },
): Promise<Page<ListedApplication> | Page<CandidateApplication>> {
  switch (kind) {
    case 'name':
      return gate.call('applications.list', { lastNamePrefix: lastNameOf(text), ...page });
    case 'source':
      return gate.call('applications.list', { sourceApplicationId: text, ...page });
    case 'email':
      return gate.call('candidates.list', { email: text, ...page });
    case 'phone':
      return gate.call('candidates.list', { phone: phoneOf(text), ...page });
  }
}

function page(
  call: ScreenCall,
  keys: readonly KeyView[],
  results: PageContent['body'],
  status: 200 | 400 | 403 = 200,
  searched: Pick<Fields, 'text'> = NOT_SEARCHED,
): PageContent {
  const { query } = call;
  const options = keys.map(({ key, label }) => [key.id, label] as const);
  const body = (
    <>
      <Section title="Search">
        <form class="search" method="post" action={call.at('/applications')}>
          <TextField
            name="q"
            type="search"
            value={searched.text('q')}
            maxLength={1000}
            label="Name, e-mail, phone or any id"
            hint="Only ids of the console get into the address of the page."
          />
          <SelectField
            name="by"
            label="Search by"
            any="What it looks like"
            value={searched.text('by')}
            options={SEARCH_CHOICES}
          />
          <p class="buttons">
            <button type="submit">Search</button>
          </p>
        </form>
        <details open={LIST_FIELDS.some((name) => query.text(name) !== null)}>
          <summary>Filter by partner, job, company or status</summary>
          <FilterForm action={call.at('/applications')} submit="Filter">
            {options.length === 0 ? (
              <IdField of="key" name="key" label="Partner key" value={query.text('key')} />
            ) : (
              <SelectField
                name="key"
                label="Partner key"
                any="Any"
                value={query.text('key')}
                options={options}
              />
            )}
            <IdField of="job" name="job" label="Job id" value={query.text('job')} />
            <IdField of="company" name="company" label="Company id" value={query.text('company')} />
            <SelectField
              name="status"
              label="Status"
              any="Any"
              value={query.text('status')}
              options={STATUS_CHOICES}
            />
            <TextField
              name="since"
              type="datetime-local"
              label="Submitted since (UTC)"
              value={query.text('since')}
            />
          </FilterForm>
        </details>
      </Section>
      {results}
    </>
  );
  return { kind: 'page', title: 'Applications', body, status };
}
