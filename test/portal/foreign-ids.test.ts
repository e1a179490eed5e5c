/** A partner tries ids of others on every page and with every act: nothing is read, and nothing is written. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../console/platform.js';
import { actorOf, openPortal, type PortalVisitor } from './portal.js';
import { ACT_ROUTES, findObjectsOf, type ObjectsOfPartner, PAGE_ROUTES, pathsOf } from './portal-pages.js';

/** With `FULL=1`, 20,000 distinct ids. */
const TRIES = process.env.FULL === '1' ? 20_000 : 200;
const AT_ONCE = 50;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

let platform: Platform;
let visitor: PortalVisitor;
/** What others own, and what Acme owns. */
let foreign: ObjectsOfPartner;
let own: ObjectsOfPartner;
beforeAll(async () => {
  platform = await openPlatform();
  const { acme, globex, hooli } = platform;
  const others = await Promise.all(
    [globex, hooli].map(({ partnerId }) => findObjectsOf(platform, partnerId)),
  );
  const all = (kind: keyof ObjectsOfPartner) => others.flatMap((each) => [...each[kind]]);
  foreign = {
    keyIds: all('keyIds') as ObjectsOfPartner['keyIds'],
    applicationIds: all('applicationIds'),
    eventIds: all('eventIds'),
    requestIds: all('requestIds'),
  };
  own = await findObjectsOf(platform, acme.partnerId);
  visitor = openPortal(platform.fixture, actorOf(acme.partnerId));
});
afterAll(() => platform.close());

/** Returns the id itself at first, then the id with one or two of its last characters changed, each time differently. */
function changed(id: string, round: number): string {
  if (round === 0) return id;
  const number = round - 1;
  const at = id.length - 2 - (Math.floor(number / LETTERS.length ** 2) % 12);
  const letters = [number % LETTERS.length, Math.floor(number / LETTERS.length) % LETTERS.length];
  return `${id.slice(0, at)}${letters.map((each) => LETTERS[each]).join('')}${id.slice(at + 2)}`;
}

/** A try: the request with an id, and whether its answer is the page of the list, which is the partner's own. */
interface Try {
  readonly ids: readonly string[];
  readonly isOwnList: boolean;
  send(id: string): Promise<{ readonly status: number; readonly text: string }>;
}

function triesOf(): readonly Try[] {
  const since = '2000-01-01T00:00';
  const confirmed = 'yes';
  const fields = { confirmed, url: 'https://thief.example.org/hooks', overlap: '0', retryNow: 'yes' };
  const everything = Object.values(foreign).flat();
  const byPath = (
    routes: readonly string[],
    send: (path: string) => ReturnType<Try['send']>,
  ): readonly Try[] =>
    routes
      .filter((route) => route.includes(':'))
      .map((route) => ({
        ids: pathsOf(route, foreign).map((path) => path.split('/')[2] ?? ''),
        isOwnList: false,
        send: (id) => send(`/portal${route.replace(/:\w+/, id)}`),
      }));
  return [
    ...byPath(PAGE_ROUTES, visitor.get),
    ...byPath(ACT_ROUTES, (path) => visitor.post(path, fields)),
    {
      ids: foreign.keyIds,
      isOwnList: false,
      send: (key) => visitor.post('/portal/deliveries/resend-since', { key, since, confirmed }),
    },
    { ids: everything, isOwnList: false, send: (q) => visitor.post('/portal/applications', { q }) },
    { ids: foreign.requestIds, isOwnList: true, send: (id) => visitor.get(`/portal/requests/find?id=${id}`) },
    ...['requests', 'deliveries', 'applications'].map(
      (list): Try => ({
        ids: foreign.keyIds,
        isOwnList: false,
        send: (key) => visitor.get(`/portal/${list}?key=${key}`),
      }),
    ),
  ];
}

it('reads nothing and writes nothing with ids of others, on every page and with every act', {
  timeout: 3_600_000,
}, async () => {
  const { operator, transport } = platform.fixture;
  const known = (await operator.audit.list({ limit: 1_000 })).items.length;
  const sent = transport.events().length;
  const tries = triesOf().map((one) => ({ ...one, next: 0 }));
  const used = new Set<string>();
  const problems: string[] = [];
  const others = Object.values(foreign).flat();
  /** Returns each real id of another partner first, then ids that no try had. */
  function nextId(one: (typeof tries)[number]): string {
    for (;;) {
      const round = Math.floor(one.next / one.ids.length);
      const id = changed(one.ids[one.next % one.ids.length] ?? '', round);
      one.next += 1;
      if (round > 0 && used.has(id)) continue;
      used.add(id);
      return id;
    }
  }
  async function attempt(one: Try, id: string): Promise<void> {
    const { status, text } = await one.send(id);
    const expected = one.isOwnList ? [200, 303] : [404];
    if (!expected.includes(status)) problems.push(`${id}: ${status}`);
    const shown = text.replaceAll(id, '');
    if (others.some((other) => shown.includes(other))) problems.push(`${id} shows another's id`);
  }
  for (let index = 0; used.size < TRIES; ) {
    const batch: Promise<void>[] = [];
    for (; batch.length < AT_ONCE; index += 1) {
      const one = tries[index % tries.length];
      if (one === undefined || one.ids.length === 0) throw new Error('A try has no ids.');
      batch.push(attempt(one, nextId(one)));
    }
    await Promise.all(batch);
  }
  expect(problems.slice(0, 5)).toEqual([]);
  expect((await operator.audit.list({ limit: 1_000 })).items.length).toBe(known);
  expect(transport.events().length).toBe(sent);
});

it('finds the partner’s own objects at the same addresses', async () => {
  for (const path of PAGE_ROUTES.flatMap((route) => pathsOf(route, own))) {
    expect([200, 303], path).toContain((await visitor.get(`/portal${path}`)).status);
  }
  // Messages to partners lead here.
  expect((await visitor.get(`/portal/keys/${platform.acme.keyId}`)).text).toContain('pek_live_');
});
