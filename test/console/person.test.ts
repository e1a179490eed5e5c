/** The page of a person: all applications by e-mail or phone, erase all, export and receipt. */
import { CONSOLE_RIGHTS } from '@partner-hiring/console';
import type { ApplicationId } from '@partner-hiring/core';
import { send, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { ADMIN, openPlatform, PERSONAL, visit } from './platform.js';

const platform = perTest(openPlatform, ({ close }) => close());

it('is reached from the search, and shows all applications by e-mail or by phone, masked', async () => {
  const { fixture, alan, ada } = platform;
  const visitor = visit(fixture);
  expect((await visitor.post('/console/search', { q: 'alan turing' })).text).toContain(
    `/console/people/${alan}`,
  );
  for (const query of ['', '?by=phone']) {
    const { status, text } = await visitor.get(`/console/people/${alan}${query}`);
    expect(status).toBe(200);
    expect(text).toContain(`/console/applications/${alan}`);
    expect(text).not.toContain(ada);
    for (const personal of PERSONAL) expect(text, personal).not.toContain(personal);
  }
});

it('is reached from an application, even after the erasure, by an actor who may open it', async () => {
  const { fixture, alan, acme } = platform;
  const visitor = visit(fixture);
  const application = async () => (await visitor.get(`/console/applications/${alan}`)).text;
  const link = `href="/console/people/${alan}"`;
  expect(await application()).toContain(link);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect(await application()).not.toContain(link);
  visitor.become(ADMIN);
  await fixture.operator.candidates.erase({ applicationId: alan });
  expect(await application()).toContain(`${link}>Erased applications of this person, and the receipt`);
});

it('erases all with a count first, and then shows the receipt and when the platform acknowledged', async () => {
  const { fixture, alan } = platform;
  await fixture.operator.inbox.turn({ on: true });
  const visitor = visit(fixture);
  const page = `/console/people/${alan}`;
  const question = await visitor.post(`${page}/erase`, { by: 'email' });
  expect(question.text).toMatch(/Applications<\/dt>\s*<dd>1</);
  expect(question.text).toContain('<dt>Candidate</dt><dd>A… T…</dd>');
  expect(question.text).toMatch(/<dt>Jobs<\/dt><dd>[^<]+ at [^<]+<\/dd>/);
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
  const erased = await visitor.post(`${page}/erase`, { by: 'email', confirmed: 'yes', reason: 'ticket 5' });
  expect([erased.status, erased.headers.get('location')]).toEqual([303, page]);
  expect((await visitor.get(page)).text).toContain(
    'in the inbox, which the platform has not acknowledged yet',
  );
  const { items } = await fixture.operator.audit.list({ object: { kind: 'application', id: alan } });
  expect(items[0]).toMatchObject({ act: 'candidates.erase', actor: { id: ADMIN.id, reason: 'ticket 5' } });

  const receipt = await visitor.post(`${page}/receipt`, {});
  expect(receipt.headers.get('content-disposition')).toBe(`attachment; filename="receipt-${alan}.json"`);
  const { erasedBy, receipts } = JSON.parse(receipt.text) as {
    erasedBy: unknown;
    receipts: { applications: object[] }[];
  };
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(erasedBy).toMatchObject([{ at: instant, id: ADMIN.id, name: ADMIN.name, reason: 'ticket 5' }]);
  expect(receipts).toMatchObject([
    { erasedAt: instant, counts: { applications: 1 }, applications: [{ id: alan, changed: false }] },
  ]);
  expect(receipt.text).toMatch(/"erasureItem": \{[^}]*"at": "\d{4}-/);
  expect(receipt.text).not.toMatch(/\d{12,}[,\n]/);
  for (const personal of PERSONAL) expect(receipt.text, personal).not.toContain(personal);

  const taken = await fixture.operator.inbox.take({ limit: 9, leaseMs: 60_000 });
  await fixture.operator.inbox.acknowledge(taken.map(({ id }) => id));
  expect((await visitor.get(page)).text).toContain('acknowledged <time');
});

it('erases all applications of a person at two partners, with one receipt for each', async () => {
  const { fixture, alan, acme, globex } = platform;
  const { operator } = fixture;
  await operator.inbox.turn({ on: true });
  const { secret } = await operator.keys.rotate({ id: globex.keyId });
  const candidate = {
    firstName: 'Bob',
    lastName: 'Turing',
    email: 'alan@example.org',
    phone: '+14155550125',
  };
  const reply = await send(fixture, 'POST', '/applications', {
    headers: {
      authorization: `Bearer ${secret}`,
      'idempotency-key': crypto.randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(submission(acme.jobId, { candidate })),
  });
  const other = reply.json.id as ApplicationId;
  const both = [alan, other].toSorted();
  const visitor = visit(fixture);
  const page = `/console/people/${other}`;
  const question = await visitor.post(`${page}/erase`, { by: 'email' });
  const shared = 'These applications share this e-mail address, but have 2 names: ';
  for (const text of [question.text, (await visitor.get(page)).text]) expect(text).toContain(shared);
  expect(question.text).toMatch(/Applications<\/dt>\s*<dd>2</);
  expect(question.text).toMatch(/(Acme ATS, Globex|Globex, Acme ATS)/);
  await visitor.post(`${page}/erase`, { by: 'email', confirmed: 'yes' });
  for (const id of both) expect((await operator.applications.find({ id }))?.erasedAt).not.toBeNull();
  const erased = await visitor.get(page);
  for (const id of both) expect(erased.text).toContain(id);

  for (const id of both) {
    const { text } = await visitor.post(`/console/people/${id}/receipt`, {});
    const { receipts } = JSON.parse(text) as { receipts: { applications: { id: string }[] }[] };
    const named = receipts.flatMap(({ applications }) => applications.map((each) => each.id));
    expect(named.toSorted()).toEqual(both);
    for (const personal of PERSONAL) expect(text, personal).not.toContain(personal);
  }
  const taken = await operator.inbox.take({ limit: 9, leaseMs: 60_000 });
  expect(taken.filter(({ kind }) => kind === 'candidate.erased')).toHaveLength(2);
  await operator.inbox.acknowledge(taken.map(({ id }) => id));
  expect((await visitor.get(page)).text.match(/acknowledged <time/g)).toHaveLength(2);
});

it('exports everything, after the audit has recorded who saw it', async () => {
  const { fixture, alan } = platform;
  const answer = await visit(fixture).post(`/console/people/${alan}/export`, { by: 'phone' });
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(JSON.parse(answer.text)).toMatchObject({
    applications: [{ application: { id: alan, candidate: { email: 'alan@example.org' } } }],
  });
  const { items } = await fixture.operator.audit.list({ object: { kind: 'application', id: alan } });
  expect(items[0]).toMatchObject({ act: 'candidates.reveal', actor: { id: ADMIN.id } });
});

it('needs the rights of the single acts, for all partners', async () => {
  const { fixture, acme, alan } = platform;
  const visitor = visit(fixture);
  const statuses = async () => [
    (await visitor.get(`/console/people/${alan}`)).status,
    (await visitor.post(`/console/people/${alan}/erase`, { confirmed: 'yes' })).status,
    (await visitor.post(`/console/people/${alan}/export`, {})).status,
    (await visitor.post(`/console/people/${alan}/receipt`, {})).status,
  ];
  visitor.become({ ...ADMIN, rights: CONSOLE_RIGHTS.viewer });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  visitor.become({ ...ADMIN, rights: [...CONSOLE_RIGHTS.viewer, 'candidates:search'] });
  expect(await statuses()).toEqual([200, 403, 403, 403]);
  visitor.become({ ...ADMIN, partnerIds: [acme.partnerId] });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect((await fixture.operator.applications.find({ id: alan }))?.erasedAt).toBeNull();
  expect((await visitor.get('/console/people/ej_app_none')).status).toBe(404);
});
