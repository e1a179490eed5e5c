import type { ApplicationPage, CandidateFilter, CandidatePage, KeyView } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type {
  Fields,
  PageContent,
  Redirection,
  Screen,
  ScreenAction,
  ScreenCall,
} from '../../http/screen.js';
import { Pager } from '../../view/data-table.js';
import { FilterForm, HiddenFields, SelectField, TextField } from '../../view/forms.js';
import { Note, Section } from '../../view/parts.js';
import { ApplicationTable } from './application-table.js';
import { LIST_FIELDS, readListFilter, STATUS_CHOICES } from './list-filter.js';
import { isPersonal, phoneOf, recognizeSearch, SEARCH_CHOICES, type SearchKind } from './search-query.js';

const PER_PAGE = 50;

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
    limit: PER_PAGE,
    ...(cursor === null ? {} : { cursor }),
  });
  const linked = Object.fromEntries(LIST_FIELDS.map((name) => [name, call.query.text(name)]));
  const results = (
    <>
      <ApplicationTable
        call={call}
        caption="Applications"
        rows={found.applications}
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
 * Searches by the text of the box. Names, addresses and numbers stay in the body of the request: an address would end up
 * in histories and access logs. Everything else leads to an address.
 */
async function search(call: ScreenAction): Promise<PageContent | Redirection> {
  const text = call.form.text('q');
  if (text === null) return { kind: 'redirect', to: call.at('/applications') };
  const choice = SEARCH_CHOICES.find(([value]) => value === call.form.text('by'))?.[0];
  const kind = choice ?? recognizeSearch(text);
  if (isPersonal(kind)) return showPersonalSearch(call, kind, text);
  return { kind: 'redirect', to: addressFor(call, kind, text) };
}

function addressFor(call: ScreenAction, kind: SearchKind, text: string): string {
  const list = (name: (typeof LIST_FIELDS)[number]) => call.at('/applications', { [name]: text });
  switch (kind) {
    case 'application':
      return call.at(`/applications/${encodeURIComponent(text)}`);
    case 'job':
    case 'company':
    case 'key':
      return list(kind);
    case 'partner':
      return call.link('partners', `/${encodeURIComponent(text)}`) ?? list('source');
    case 'event':
      return call.link('deliveries', '', { event: text }) ?? list('source');
    default:
      return list('source');
  }
}

async function showPersonalSearch(
  call: ScreenAction,
  kind: 'email' | 'phone' | 'name',
  text: string,
): Promise<PageContent> {
  const { gate, form } = call;
  const { keys } = await listKeysInScope(gate);
  if (!gate.may('candidates:search')) {
    const problem =
      'Your rights do not include candidates:search, which finds people by name, e-mail or phone.';
    return page(call, keys, <Note tone="warn">{problem}</Note>, 403, form);
  }
  if (!gate.isForAllPartners) return page(call, keys, <Note tone="warn">{ONLY_BY_KEY}</Note>, 403, form);
  const cursor = form.text('cursor');
  const found = await find(call, kind, text, cursor === null ? {} : { cursor });
  const results = (
    <>
      <ApplicationTable call={call} caption={CAPTIONS[kind]} rows={found.applications} empty={EMPTY[kind]} />
      {found.nextCursor === null ? null : (
        <form class="pager" method="post" action={call.at('/applications')}>
          <HiddenFields
            fields={[
              ['q', text],
              ['by', kind],
              ['cursor', found.nextCursor],
            ]}
          />
          <button type="submit" class="secondary">
            Next page
          </button>
        </form>
      )}
    </>
  );
  return page(call, keys, results, 200, form);
}

const CAPTIONS = {
  email: 'Applications with this e-mail address',
  phone: 'Applications with this phone number',
  name: 'Applications by last name',
} as const;

const EMPTY = {
  email:
    'No application has this e-mail address. Erased candidates are only found by the id of the application.',
  phone: 'No application has this phone number. Write it with its country code, such as +1 415 555 0123.',
  name: 'No last name starts like this. To search for a partner’s own id, choose “Source id”.',
} as const;

async function find(
  { gate }: ScreenAction,
  kind: 'email' | 'phone' | 'name',
  text: string,
  page: { readonly cursor?: string },
): Promise<ApplicationPage | CandidatePage> {
  const rest = { limit: PER_PAGE, ...page };
  if (kind === 'name') return gate.call('applications.list', { lastNamePrefix: text, ...rest });
  const candidate: CandidateFilter =
    kind === 'email' ? { email: text, ...rest } : { phone: phoneOf(text), ...rest };
  return gate.call('candidates.find', candidate);
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
            label="Name, e-mail, phone or any id"
            hint="Names, e-mail addresses and phone numbers stay out of the address of the page."
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
              <TextField name="key" label="Partner key" value={query.text('key')} />
            ) : (
              <SelectField
                name="key"
                label="Partner key"
                any="Any"
                value={query.text('key')}
                options={options}
              />
            )}
            <TextField name="job" label="Job id" value={query.text('job')} />
            <TextField name="company" label="Company id" value={query.text('company')} />
            <TextField name="source" label="Source id" value={query.text('source')} maxLength={1000} />
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
