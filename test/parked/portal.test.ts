/** Forms of the portal whose session or rights end after they were sent and before they have arrived. */
import { createPartnerPortal, type PortalActor } from '@partner-hiring/console/portal';
import { PORTAL_RIGHTS } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { afterAll, expect, it } from 'vitest';
import { PORTAL_SCREENS } from '../../packages/console/src/portal/screens/screens.js';
import { createOwner, lateBody, type Owner, PORTAL_URL, stateOf } from './owner.js';

const ORIGIN = new URL(PORTAL_URL).origin;

/** The acts and the exports of the portal. */
const ACTS = PORTAL_SCREENS.flatMap(({ actions = {}, pages }) => [
  ...Object.keys(actions),
  ...Object.entries(pages).flatMap(([path, { csv }]) => (csv === undefined ? [] : [`${path}.csv`])),
]);

/** The fields that each act accepts. An act without an own entry is a search or an export, which changes nothing. */
const CHANGING: Readonly<
  Record<string, (fixture: Fixture, owner: Owner) => Promise<Record<string, string>>>
> = {
  '/endpoints/:keyId/test': async () => ({}),
  '/endpoints/:keyId/pause': async () => ({}),
  '/endpoints/:keyId/resume': async ({ operator }, { partnerId, keyId }) => {
    await operator.forPartner({ partnerId, name: 'Dana', rights: ['pause'] }).pause(keyId);
    return {};
  },
  '/endpoints/:keyId/url': async () => ({ url: 'https://other.example.org/webhooks' }),
  '/endpoints/:keyId/rotate-secret': async ({ operator }, { partnerId, keyId }) => {
    const own = await operator.forPartner({ partnerId, name: 'Dana', rights: ['endpoint'] }).endpoint(keyId);
    return { overlap: '24', ifCurrent: own?.signingSecretId ?? '' };
  },
  '/keys/:id/rotate': async (_, { secret }) => ({ overlap: '24', ifCurrent: secret.slice(-4) }),
  '/keys/:id/stop-old': async ({ operator }, { keyId }) => {
    const secrets = (await operator.keys.find({ id: keyId }))?.secrets ?? [];
    return { secret: secrets.find(({ state }) => state === 'replaced')?.lastFour ?? '' };
  },
  '/deliveries/:eventId/resend': async () => ({}),
  '/deliveries/resend-since': async (_, { keyId }) => ({ key: keyId, since: '2026-01-01T00:00' }),
  '/go-live/:keyId/probe': async () => ({}),
};

const fixture = await createFixture({ portalUrl: PORTAL_URL, goLive: { probeProduction: true } });
afterAll(() => fixture.close());

type Visitor = Awaited<ReturnType<typeof signIn>>;

/** Signs in by a link, or by the hook of the host. */
async function signIn(owner: Owner, by: 'link' | 'hook') {
  const { operator } = fixture;
  let actor: PortalActor | null = null;
  const portal = createPartnerPortal({ operator, actor: () => actor, logger: { error: () => {} } });
  let cookie = '';
  if (by === 'hook') actor = { partnerId: owner.partnerId, name: 'Dana', rights: PORTAL_RIGHTS };
  if (by === 'link') {
    const { link } = await operator.portal.createLink({ partnerId: owner.partnerId, rights: PORTAL_RIGHTS });
    const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
    const response = await portal.fetch(new Request(link, { method: 'POST', headers }));
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }
  return {
    /** The token of the session of a link. */
    session: cookie.split('=')[1] ?? '',
    become: (next: PortalActor | null) => {
      actor = next;
    },
    /** Sends a form that arrives after `meanwhile`. */
    post: async (path: string, fields: Record<string, string>, meanwhile: () => Promise<unknown>) => {
      const body = lateBody(new URLSearchParams({ confirmed: 'yes', ...fields }).toString(), meanwhile);
      const headers = {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const request = new Request(`${PORTAL_URL}${path}`, { method: 'POST', headers, body, duplex: 'half' });
      const response = await portal.fetch(request);
      return { status: response.status, text: await response.text() };
    },
  };
}

const pathOf = (act: string, { keyId, eventId }: Owner) =>
  act.replace(/:(?:keyId|id)\b/, keyId).replace(':eventId', eventId);

const fieldsOf = async (act: string, owner: Owner) => CHANGING[act]?.(fixture, owner) ?? {};

const signOut = (session: string) =>
  fixture.operator.portal.revoke({ token: session, host: new URL(PORTAL_URL).host });

type End = (owner: Owner, visitor: Visitor) => unknown;

/** The ways to end what a person in the portal may do, by how the person has signed in. */
const ENDS: Readonly<Record<'link' | 'hook', Readonly<Record<string, End>>>> = {
  link: {
    'all secrets of the key are revoked': ({ keyId }) =>
      fixture.operator.keys.revoke({ id: keyId, all: true }),
    'the partner is disabled': ({ partnerId }) =>
      fixture.operator.partners.update({ id: partnerId, disabled: true }),
    'the partner is removed': ({ partnerId }) => fixture.operator.partners.remove({ id: partnerId }),
    'its links and sessions are revoked': ({ partnerId }) => fixture.operator.portal.revoke({ partnerId }),
    'the person signs out': (_, { session }) => signOut(session),
    'the session expires': () => fixture.pass(13 * 3_600_000),
  },
  hook: {
    'the hook no longer knows the person': (_, { become }) => become(null),
    'the hook knows the person without the right': ({ partnerId }, { become }) =>
      become({ partnerId, name: 'Dana', rights: ['endpoint', 'deliveries', 'keys'] }),
    'the hook knows the person of another partner': async (_, { become }) => {
      const { partnerId } = await createOwner(fixture);
      become({ partnerId, name: 'Dana', rights: PORTAL_RIGHTS });
    },
    'the partner is disabled': ({ partnerId }) =>
      fixture.operator.partners.update({ id: partnerId, disabled: true }),
    'the partner is removed': ({ partnerId }) => fixture.operator.partners.remove({ id: partnerId }),
  },
};

it('every act of the screens is here', () => {
  const changing = ACTS.filter((act) => act !== '/applications');
  expect(changing.sort()).toEqual(Object.keys(CHANGING).sort());
});

it.each(Object.keys(CHANGING))('%s changes something while the session works', async (act) => {
  const owner = await createOwner(fixture);
  const visitor = await signIn(owner, 'link');
  const fields = await fieldsOf(act, owner);
  const before = await stateOf(fixture, owner);
  const { status } = await visitor.post(pathOf(act, owner), fields, async () => {});
  expect(status).toBeLessThan(400);
  expect(await stateOf(fixture, owner)).not.toBe(before);
});

const CASES = (['link', 'hook'] as const).flatMap((by) =>
  ACTS.flatMap((act) => Object.entries(ENDS[by]).map(([way, end]) => ({ act, by, way, end }))),
);

it.each(CASES)(
  '$act of a person signed in by $by changes nothing if meanwhile $way',
  async ({ act, by, end }) => {
    const owner = await createOwner(fixture);
    const fields = await fieldsOf(act, owner);
    const visitor = await signIn(owner, by);
    let after = '';
    const { status, text } = await visitor.post(pathOf(act, owner), fields, async () => {
      await end(owner, visitor);
      after = await stateOf(fixture, owner);
    });
    // Another partner searches among its own applications.
    expect(act in CHANGING ? [401, 403, 404] : [303, 401, 404]).toContain(status);
    expect(text).not.toMatch(/pek_live_|whsec_/);
    expect(await stateOf(fixture, owner)).toBe(after);
  },
);
