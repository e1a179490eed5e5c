import type { ApplicationRecord } from '../../domain/application.js';
import { emailKey } from '../../domain/email-address.js';
import type { ApplicationId, CompanyId, JobId, KeyId, PartnerId } from '../../domain/ids.js';
import { hashSecret, type PartnerKey } from '../../domain/partner-key.js';
import type { Instant } from '../../domain/time.js';
import { listOf } from '../../groups/applications/candidate-target.js';
import { type ListedApplication, nameApplications } from '../../groups/applications/list-applications.js';
import { viewKeys } from '../../groups/partners/key-commands.js';
import type { CommandContext } from '../../operator/command/definition.js';
import { type SeenByPartners, seenByPartners } from '../../operator/gate/seen-by-partners.js';
import { withCompanyNames, withKeyNames } from '../../operator/names.js';
import type { PhoneNumbers } from '../../ports/host-services.js';
import type { Repositories } from '../../ports/storage.js';
import { nameOperations } from '../operations/commands.js';
import { withCallers } from '../request-log/find-request.js';
import { type FoundNames, searchNamed, searchPeople, searchPhoneEnds } from './search-names.js';
import { SEARCH_KINDS, type SearchInput, type SearchKind, type SearchResult } from './search-types.js';
import { kindsOf, readSearchedText, type SearchedText, searchedId } from './searched-text.js';

const GROUP_LIMIT = 50;

/** One more, which says that there are more. */
const READ_LIMIT = GROUP_LIMIT + 1;

/** A search, as the functions for its groups read it. */
interface Search {
  readonly read: Repositories;
  readonly searched: SearchedText;
  readonly kinds: ReadonlySet<SearchKind>;
  readonly phones: PhoneNumbers;
  /** Null if the caller sees the objects of all partners. */
  readonly seen: SeenByPartners | null;
  /** Marks a group in which there may be more. */
  readonly markIncomplete: (kind: SearchKind) => void;
}

/** Searches all groups at once. Each reads a fixed number of index ranges, and at most a fixed number of rows. */
export async function search(context: CommandContext, input: SearchInput): Promise<SearchResult> {
  const { read, now, flush, settings } = context;
  const searched = readSearchedText(input.text);
  const asked = input.kinds ?? SEARCH_KINDS;
  const kinds = new Set(kindsOf(searched).filter((kind) => asked.includes(kind)));
  if (kinds.has('request')) await flush();
  const incomplete = new Set<SearchKind>();
  const of: Search = {
    read,
    searched,
    kinds,
    phones: settings.phones,
    seen: input.partnerIds === undefined ? null : await seenByPartners(read, input.partnerIds),
    markIncomplete: (kind) => incomplete.add(kind),
  };
  const [ofPeople, ofApplications, partners, keys, companies, jobs, events, requests, operations] =
    await Promise.all([
      findOfPeople(of),
      findApplications(of),
      findPartners(of),
      findKeys(of, now),
      findCompanies(of),
      findJobs(of),
      findEvents(of),
      findRequests(of),
      findOperations(of),
    ]);
  const rows = [...new Map([...ofPeople, ...ofApplications].map((row) => [row.id, row])).values()];
  if (rows.length > GROUP_LIMIT) incomplete.add('application');
  const applications = await nameApplications(read, rows.slice(0, GROUP_LIMIT));
  const people = kinds.has('person') ? peopleOf(applications, ofPeople) : [];
  return {
    people: people.map((application) => ({ application })),
    applications,
    partners,
    keys,
    companies,
    jobs,
    events,
    requests,
    operations,
    incomplete: SEARCH_KINDS.filter((kind) => incomplete.has(kind)),
  };
}

/** The newest application of each person. An erased candidate is not a person any more. */
function peopleOf(
  applications: readonly ListedApplication[],
  ofPeople: readonly ApplicationRecord[],
): readonly ListedApplication[] {
  const ids = new Set(ofPeople.map(({ id }) => id));
  const people = new Map<string, ListedApplication>();
  for (const application of applications) {
    if (!ids.has(application.id) || application.erasedAt !== null) continue;
    const key = emailKey(application.candidate.email);
    const known = people.get(key);
    if (known === undefined || known.submittedAt < application.submittedAt) people.set(key, application);
  }
  return [...people.values()];
}

function firstOf<Row>({ markIncomplete }: Search, kind: SearchKind, rows: readonly Row[]): readonly Row[] {
  if (rows.length > GROUP_LIMIT) markIncomplete(kind);
  return rows.slice(0, GROUP_LIMIT);
}

/** Only tells a caller for all partners that names were left unread: it says how many objects others have. */
function noteUnread({ seen, markIncomplete }: Search, kind: SearchKind, { isComplete }: FoundNames<string>) {
  if (!isComplete && seen === null) markIncomplete(kind);
}

function isSeenKey({ seen }: Search, keyId: KeyId | null): boolean {
  return seen === null || (keyId !== null && seen.keyIds.has(keyId));
}

/** The applications of the people who have this name, address or number. */
async function findOfPeople(of: Search): Promise<readonly ApplicationRecord[]> {
  if (!of.kinds.has('person')) return [];
  const { read, searched, phones, seen } = of;
  const { email, phone, phoneEnd, words } = searched;
  const page = { after: null, limit: seen === null ? READ_LIMIT : MOST_OF_ONE };
  let rows: readonly ApplicationRecord[] = [];
  if (email !== null) rows = await listOf(read, { by: 'email', email }, page);
  const number = phone === null ? null : phones.normalize(phone, '');
  if (number !== null) rows = await listOf(read, { by: 'phone', phone: number }, page);
  if (phoneEnd !== null || words !== null) {
    const isSeen = seen === null ? null : ({ keyId }: { readonly keyId: KeyId }) => isSeenKey(of, keyId);
    const found =
      phoneEnd === null
        ? await searchPeople(read, words ?? [], isSeen)
        : await searchPhoneEnds(read, phoneEnd, isSeen);
    noteUnread(of, 'person', found);
    rows = await recordsOf(read, found.ids.slice(0, READ_LIMIT));
  }
  return rows.filter(({ keyId }) => isSeenKey(of, keyId)).slice(0, READ_LIMIT);
}

/** More applications than a person has. Then those of other partners are left out. */
const MOST_OF_ONE = 1_000;

async function recordsOf(
  { applications }: Repositories,
  ids: readonly ApplicationId[],
): Promise<readonly ApplicationRecord[]> {
  return (await applications.find(ids)).filter((found) => found !== null);
}

/** The application with this id, or those with this id at their partners. */
async function findApplications(of: Search): Promise<readonly ApplicationRecord[]> {
  if (!of.kinds.has('application')) return [];
  const { read, searched, seen } = of;
  const id = searchedId(searched, 'application');
  const limit = seen === null ? READ_LIMIT : MOST_OF_ONE;
  const bySourceId = { sourceApplicationId: searched.text, after: null, limit };
  const rows = id === null ? await read.applications.listBySourceId(bySourceId) : await recordsOf(read, [id]);
  return rows.filter(({ keyId }) => isSeenKey(of, keyId)).slice(0, READ_LIMIT);
}

async function findPartners(of: Search): Promise<SearchResult['partners']> {
  const { read, searched, seen } = of;
  const namesOf = async (ids: readonly PartnerId[]) =>
    (await read.partners.findMany(ids)).map((partner) => partner?.name ?? null);
  const ids = await findByName(of, 'partner', { by: read.names.partnersBy, namesOf });
  const own = ids.filter((id) => seen === null || seen.partnerIds.has(id));
  const id = searchedId(searched, 'partner');
  const isOwn = id !== null && of.kinds.has('partner') && (seen === null || seen.partnerIds.has(id));
  const found = await read.partners.findMany(firstOf(of, 'partner', isOwn ? [id] : own));
  return found.filter((partner) => partner !== null);
}

/** The ids of the objects with this name, the best matches first. */
async function findByName<Id extends string>(
  of: Search,
  kind: SearchKind,
  source: Parameters<typeof searchNamed<Id>>[0],
): Promise<readonly Id[]> {
  const { words } = of.searched;
  if (words === null || !of.kinds.has(kind)) return [];
  const found = await searchNamed(source, words, of.seen !== null);
  noteUnread(of, kind, found);
  return found.ids;
}

async function findKeys(of: Search, now: () => Promise<Instant>): Promise<SearchResult['keys']> {
  if (!of.kinds.has('key')) return [];
  const { read, searched } = of;
  const { secret, lastFour } = searched;
  const id = searchedId(searched, 'key');
  let found: readonly (PartnerKey | null)[] = [];
  if (id !== null) found = [await read.keys.find(id)];
  if (secret !== null) {
    found = (await read.keys.findByHashes([hashSecret(secret)])).map((one) => one?.key ?? null);
  }
  if (lastFour !== null) found = await read.keys.listByLastFour(lastFour, MOST_OF_ONE);
  const keys = new Map(found.flatMap((key) => (key === null ? [] : [[key.id, key] as const])));
  const own = [...keys.values()].filter((key) => isSeenKey(of, key.id));
  return own.length === 0 ? [] : viewKeys(read, firstOf(of, 'key', own), await now());
}

async function findCompanies(of: Search): Promise<SearchResult['companies']> {
  const { read, searched } = of;
  const by = read.names.companiesBy;
  const named = await findByName(of, 'company', { by, namesOf: read.names.ofCompanies });
  const id = searchedId(searched, 'company');
  const ids = id !== null && of.kinds.has('company') ? [id] : named;
  const own = of.seen === null ? null : await of.seen.companiesOf(ids);
  const shown = ids.filter((each: CompanyId) => own === null || own.has(each));
  const found = await read.companies.findMany(firstOf(of, 'company', shown));
  return found.filter((company) => company !== null);
}

async function findJobs(of: Search): Promise<SearchResult['jobs']> {
  const { read, searched } = of;
  const named = await findByName(of, 'job', { by: read.names.jobsBy, namesOf: read.names.ofJobs });
  const id = searchedId(searched, 'job');
  const ids = id !== null && of.kinds.has('job') ? [id] : named;
  const shown = firstOf(of, 'job', await seenJobs(of, ids));
  const found = (await read.jobs.find(shown)).filter((job) => job !== null);
  return withCompanyNames(read, found);
}

async function seenJobs({ read, seen }: Search, ids: readonly JobId[]): Promise<readonly JobId[]> {
  if (seen === null) return ids;
  const outlines = (await read.jobs.findOutlines(ids)).filter((outline) => outline !== null);
  const own = await seen.companiesOf([...new Set(outlines.map(({ companyId }) => companyId))]);
  return outlines.filter(({ companyId }) => own.has(companyId)).map(({ id }) => id);
}

async function findEvents(of: Search): Promise<SearchResult['events']> {
  const { read, searched } = of;
  const id = searchedId(searched, 'event');
  const keyId = id === null || !of.kinds.has('event') ? null : await read.events.findKey(id);
  if (id === null || keyId === null || !isSeenKey(of, keyId)) return [];
  const [event = null] = await read.events.find(keyId, [id]);
  if (event === null) return [];
  const { type, at } = event;
  return withKeyNames(read, [{ id, type, keyId, at }]);
}

async function findRequests(of: Search): Promise<SearchResult['requests']> {
  const { read, searched } = of;
  if (searched.requestId === null || !of.kinds.has('request')) return [];
  const found = await read.requests.find(searched.requestId);
  return found === null || !isSeenKey(of, found.keyId) ? [] : withCallers(read, [found]);
}

async function findOperations(of: Search): Promise<SearchResult['operations']> {
  const { read, searched } = of;
  const id = searchedId(searched, 'operation');
  const found = id === null || !of.kinds.has('operation') ? null : await read.operations.find(id);
  if (found === null || !isSeenKey(of, 'keyId' in found.plan ? found.plan.keyId : null)) return [];
  return nameOperations(read, [found]);
}
