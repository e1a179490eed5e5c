import type { SearchResult } from '@partner-hiring/core';
import { isLibraryId, type LibraryIdKind } from '../../http/library-id.js';
import type { PageContent, Redirection, Screen, ScreenAction, ScreenCall } from '../../http/screen.js';
import { Note, Section } from '../../view/parts.js';
import { FoundGroups, SEARCHED_KINDS } from './found-groups.js';

/** The pages of ids. */
const PAGES: readonly (readonly [LibraryIdKind, string])[] = [
  ['application', 'application'],
  ['partner', 'partners'],
  ['key', 'keys'],
  ['company', 'companies'],
  ['job', 'jobs'],
];

/** The page of an id of ours, which may be in an address. Null for another text, or if the actor may not open it. */
function pageOf({ link }: ScreenCall, text: string): string | null {
  const [, screen = null] = PAGES.find(([kind]) => isLibraryId(kind, text)) ?? [];
  return screen === null ? null : link(screen, `/${text}`);
}

/** The page of the only result that has an id of ours. */
function pageOfOnly(call: ScreenCall, found: SearchResult): string | null {
  const { applications, events, requests, operations } = found;
  if (applications.length + events.length + requests.length + operations.length !== 1) return null;
  const event = events[0];
  const request = requests[0];
  const operation = operations[0];
  if (event !== undefined) return call.link('deliveries', `/${event.keyId}/${event.id}`);
  if (request !== undefined) return call.link('requests', `/${request.requestId}`);
  return operation === undefined ? null : call.link('operations', `/${operation.id}`);
}

/** Searches the groups that the actor may read, among the objects of the actor's partners. */
async function search(call: ScreenAction): Promise<PageContent | Redirection> {
  const text = call.form.text('q');
  if (text === null || [...text].length < 2) return page(<Note>{HOW}</Note>, text, 400);
  const direct = pageOf(call, text);
  if (direct !== null) return { kind: 'redirect', to: direct };
  const { gate, actor } = call;
  const kinds = SEARCHED_KINDS.filter((kind) => gate.mayCall('system.search', { text, kinds: [kind] }));
  const partnerIds = actor.partnerIds === 'all' ? undefined : actor.partnerIds;
  if (kinds.length === 0 || partnerIds?.length === 0) return page(<Note>{NOTHING}</Note>, text);
  const found = await gate.call('system.search', { text, kinds, partnerIds });
  const only = pageOfOnly(call, found);
  if (only !== null) return { kind: 'redirect', to: only };
  return page(<FoundGroups call={call} found={found} text={text} empty={NOTHING} />, text);
}

const HOW =
  'Type at least two characters into the box above: words of a name in any order, an e-mail address, a phone number or its last four digits, a partner’s own id, the last four characters of a key, or any id.';

const NOTHING =
  'Nothing found. Words may be beginnings of names, but a last name must begin with one of them. A phone number needs its country code, or at least its last four digits. Erased candidates are only found by the id of the application. You only see what you have access to.';

function page(
  body: PageContent['body'],
  searched: string | null,
  status: PageContent['status'] = 200,
): PageContent {
  const section = <Section title="Results">{body}</Section>;
  return { kind: 'page', title: 'Search', body: section, searched: searched ?? '', status };
}

/** Searches everything by one text. */
export const searchScreen: Screen = {
  name: 'search',
  label: null,
  path: '/search',
  rights: [],
  pages: { '/search': async () => page(<Note>{HOW}</Note>, null) },
  actions: { '/search': search },
};
