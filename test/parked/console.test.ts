/** Forms of the console whose sender loses access after they were sent and before they have arrived. */
import {
  CONSOLE_RIGHTS,
  type ConsoleActor,
  createConsole,
  createOneTimeLogin,
} from '@partner-hiring/console';
import { OperatorError } from '@partner-hiring/core';
import { afterAll, describe, expect, it } from 'vitest';
import { SCREENS } from '../../packages/console/src/screens/screens.js';
import { ADMIN, ORIGIN, openPlatform, type Platform } from '../console/platform.js';
import { lateBody } from './owner.js';

/** The acts and the exports of the console. */
const ACTS = SCREENS.flatMap(({ actions = {}, pages }) => [
  ...Object.keys(actions),
  ...Object.entries(pages).flatMap(([path, { csv }]) => (csv === undefined ? [] : [`${path}.csv`])),
]);

/** Fields with which each act asks the operator for something. Each act reads those that it knows. */
function fieldsOf(platform: Platform, act: string): Record<string, string> {
  const { acme, ada } = platform;
  // The fields of an export are filters.
  if (act.endsWith('.csv')) return { company: acme.companyId };
  return {
    confirmed: 'yes',
    chosen: chosenOf(platform, act),
    resendKey: acme.keyId,
    resendSince: '2026-01-01T00:00',
    name: 'Initrode',
    environment: 'production',
    email: 'dana@ats.example',
    key: acme.keyId,
    company: acme.companyId,
    id: ada,
    text: 'Acme',
    q: 'Acme',
    stage: 'under_review',
    url: 'https://other.example.org/webhooks',
    prefix: 'Ini',
    item: 'inb_1',
  };
}

/** The value of a ticked row. */
function chosenOf({ acme, alan }: Platform, act: string): string {
  if (act.startsWith('/jobs')) return acme.jobId;
  if (/^\/bulk\/(?:reject|hire)$/.test(act)) return alan;
  if (/^\/bulk\/(?:revoke|grant)$/.test(act)) return acme.companyId;
  return `${acme.keyId} evt_0123456789`;
}

/** The parameters of paths, by their first part. */
const paramsOf = (platform: Platform): Readonly<Record<string, string>> => {
  const { acme, alan } = platform;
  return {
    applications: alan,
    companies: acme.companyId,
    jobs: acme.jobId,
    partners: acme.partnerId,
    people: alan,
  };
};

function pathOf(act: string, platform: Platform): string {
  const id = paramsOf(platform)[act.split('/')[1] ?? ''] ?? 'op_1';
  return act.replace(':key', platform.acme.keyId).replace(':event', 'evt_1').replace(':id', id);
}

const platform = await openPlatform();
afterAll(() => platform.close());

/** Returns the operator, which notes the names of the commands that are called and that the actor's limits allow. */
function watched<Watched extends object>(target: Watched, calls: string[], group = ''): Watched {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (['as', 'through', 'limitedTo'].includes(String(name)))
        return (arg: never) => watched((value as (arg: never) => object)(arg), calls);
      if (typeof value === 'object' && value !== null)
        return watched(value, calls, `${group}${String(name)}.`);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => noted(value(...args), () => calls.push(`${group}${String(name)}`));
    },
  });
}

/** How limits refuse. */
const REFUSED =
  /^(?:RIGHT_MISSING|NEEDS_ALL_PARTNERS|(?:PARTNER|KEY|APPLICATION|COMPANY|JOB|OPERATION)_NOT_FOUND)$/;

/** Notes a call, but not one that the limits refuse. */
function noted(called: unknown, note: () => void): unknown {
  if (!(called instanceof Promise)) {
    note();
    return called;
  }
  return called.then(
    (result: unknown) => {
      note();
      return result;
    },
    (error: unknown) => {
      const code = error instanceof OperatorError ? error.code : '';
      if (!REFUSED.test(code)) note();
      throw error;
    },
  );
}

/** Sends a form that arrives after `meanwhile`. Returns the answer, and the commands that were called after the arrival. */
async function post(act: string, meanwhile: (become: (actor: ConsoleActor | null) => void) => void) {
  const calls: string[] = [];
  let actor: ConsoleActor | null = ADMIN;
  const { fetch } = createConsole({
    operator: watched(platform.fixture.operator, calls),
    actor: () => actor,
    logger: { error: () => {} },
  });
  const body = lateBody(new URLSearchParams(fieldsOf(platform, act)).toString(), async () => {
    meanwhile((next) => {
      actor = next;
    });
    calls.length = 0;
  });
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const url = `${ORIGIN}/console${pathOf(act, platform)}`;
  const response = await fetch(new Request(url, { method: 'POST', headers, body, duplex: 'half' }));
  return { status: response.status, text: await response.text(), calls };
}

describe('a form', () => {
  it.each(ACTS)('%s asks the hook again when it has arrived, and nobody else acts', async (act) => {
    const stranger = await post(act, (become) => become(null));
    expect([stranger.status, stranger.text, stranger.calls]).toEqual([404, 'Not found', []]);
  });

  it.each(ACTS)('%s does not act by a right that was taken away meanwhile', async (act) => {
    const viewer = await post(act, (become) => become({ ...ADMIN, rights: ['portal:revoke'] }));
    const acted = viewer.calls.filter((name) => !/\.(?:find|list|count|search)$/.test(name));
    expect([viewer.status, acted]).toEqual([
      expect.toSatisfy((status) => (act === '/search' ? [200] : [403, 404]).includes(status)),
      [],
    ]);
  });

  it.each(ACTS)('%s knows the partners of the actor as they are when it has arrived', async (act) => {
    const { calls, status } = await post(act, (become) =>
      become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer, partnerIds: [platform.globex.partnerId] }),
    );
    const acted = calls.filter((name) => !/\.(?:find|list|count|search|each)/.test(name));
    expect([acted, status]).toEqual([[], expect.any(Number)]);
  });

  it.each(ACTS)('%s asks the operator while the actor stays', async (act) => {
    expect((await post(act, () => {})).calls.length).toBeGreaterThan(0);
  });
});

describe('a form with a one-time login', () => {
  const sign = async (
    meanwhile: (login: ReturnType<typeof createOneTimeLogin>, cookie: string) => unknown,
  ) => {
    const calls: string[] = [];
    const login = createOneTimeLogin({ actor: ADMIN, sessionMs: 60_000 });
    const { actor, signIn, signOut, path } = login;
    const operator = watched(platform.fixture.operator, calls);
    const { fetch } = createConsole({ operator, actor, signIn, signOut, path, logger: { error: () => {} } });
    const own = { 'sec-fetch-site': 'same-origin', origin: ORIGIN };
    const link = login.createLink(ORIGIN);
    const signedIn = await fetch(new Request(link, { method: 'POST', headers: own }));
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const body = lateBody(new URLSearchParams(fieldsOf(platform, '/jobs')).toString(), async () => {
      await meanwhile(login, cookie);
      calls.length = 0;
    });
    const headers = { ...own, cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const url = `${ORIGIN}${path}${pathOf('/jobs/:id/close', platform)}`;
    const response = await fetch(new Request(url, { method: 'POST', headers, body, duplex: 'half' }));
    return { status: response.status, calls, link, fetch };
  };

  it('does nothing after the sign-out, and asks the operator before', async () => {
    expect((await sign(() => {})).calls.length).toBeGreaterThan(0);
    const out = await sign((login, cookie) =>
      login.signOut(new Request(`${ORIGIN}${login.path}`, { headers: { cookie } })),
    );
    expect([out.status, out.calls]).toEqual([404, []]);
  });

  it('signs in once: a second POST of the link finds it used', async () => {
    const { link, fetch } = await sign(() => {});
    const headers = { 'sec-fetch-site': 'same-origin', origin: ORIGIN };
    expect((await fetch(new Request(link, { method: 'POST', headers }))).status).toBe(410);
  });
});
