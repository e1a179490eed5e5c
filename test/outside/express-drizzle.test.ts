import { fileURLToPath } from 'node:url';
import {
  createPartnerHiring,
  type JobId,
  type JobState,
  type Operation,
  type Operator,
} from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { VALID } from '@partner-hiring/test-support/submission-body';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { describeJsonHost, type JsonHost, type JsonHostProcess, STAFF } from './json-host.js';

const SOON = { timeout: 30_000 };

/** Opens the operator on the database of the host, as the command line does. */
async function openOperator({ databaseUrl }: JsonHost) {
  const storage = await createPostgresStorage({ connectionString: databaseUrl(), migrate: 'never' });
  const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  onTestFinished(() => partnerHiring.close());
  return partnerHiring.operator;
}

/** Submits with a secret of its own, because a key may only submit ten applications a minute. Returns the id. */
async function submitWith(secret: string, jobId: JobId, host: JsonHost, operator: Operator<never>) {
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  };
  expect(await host.post('/api/v1/external/applications', headers, { ...VALID, jobId })).toBe(201);
  const { items } = await operator.applications.list({ jobId });
  return items.toSorted((a, b) => b.submittedAt - a.submittedAt)[0]?.id ?? '';
}

/** Submits as another partner. */
async function submitAsOther(host: JsonHost, operator: Operator<never>) {
  const { id: partnerId } = await operator.partners.create({ name: 'Initech' });
  const { key, secret } = await operator.keys.issue({ partnerId, environment: 'production' });
  await operator.access.grant({ keyId: key.id, companyId: 'co_bistro' });
  return submitWith(secret, 'job_4711', host, operator);
}

async function idsAt({ get }: JsonHostProcess): Promise<readonly string[]> {
  const rows = (await (await get('/candidates', STAFF)).json()) as readonly {
    readonly applicationId: string;
  }[];
  return rows.map(({ applicationId }) => applicationId);
}

/** Returns how many items of the inbox the hosts have received, and refused. */
async function itemsAt(...hosts: readonly JsonHostProcess[]) {
  const texts = await Promise.all(hosts.map(({ metrics }) => metrics()));
  const sum = (name: string) =>
    [
      ...texts
        .join('\n')
        .matchAll(new RegExp(`^partner_hiring_inbox_${name}_total(?:\\{.*\\})? (\\d+)`, 'gm')),
    ]
      .map(([, count]) => Number(count))
      .reduce((all, each) => all + each, 0);
  return { received: sum('received'), refused: sum('refused') };
}

function changesOf({ sync }: Operation): number {
  return sync === null ? 0 : sync.added + sync.updated + sync.reopened + sync.closed;
}

describeJsonHost([fileURLToPath(new URL('../../examples/existing-platform', import.meta.url))], (host) => {
  it('answers probes and Prometheus, and shows the console to staff alone', async () => {
    const ready = await host.get('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([200, { storage: 'up', worker: 'running' }]);
    expect(await host.metrics()).toContain('partner_hiring_inbox_received_total');
    const headers = { accept: 'text/html', ...STAFF };
    expect([(await host.get('/console', headers)).status, (await host.get('/console')).status]).toEqual([
      200, 404,
    ]);
  });

  it('signs in with the token of the staff, and with no other', async () => {
    const signIn = (token: string) =>
      fetch(`${host.origin()}/sign-in`, {
        method: 'POST',
        body: new URLSearchParams({ token }),
        redirect: 'manual',
      });
    expect(await (await host.get('/sign-in')).text()).toContain('<form method="post">');
    const refused = await signIn('rosa');
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
    const signedIn = await signIn(STAFF.cookie.slice('staff='.length));
    expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([
      303,
      `${STAFF.cookie}; Path=/; HttpOnly; SameSite=Strict`,
    ]);
  });

  it('hires in the name of the staff member, and answers mistakes with their status', async () => {
    const operator = await openOperator(host);
    const id = await submitAsOther(host, operator);
    await expect.poll(() => idsAt(host), SOON).toContain(id);
    const hire = (of: string, headers = STAFF) => host.post(`/candidates/${of}/hire`, headers);
    expect(await hire('ej_app_unknown')).toBe(404);
    expect([await hire(id), await hire(id)]).toEqual([204, 409]);
    const { items } = await operator.audit.list({ actorId: 'rosa' });
    expect(items.map(({ act, actor }) => [act, actor.name])).toContainEqual([
      'applications.decide',
      'Rosa Reyes',
    ]);
  });

  it('keeps the tests of partners out of its own tables', async () => {
    const operator = await openOperator(host);
    const environment = 'sandbox';
    const { id: partnerId } = await operator.partners.create({ name: 'Globex' });
    const { key, secret } = await operator.keys.issue({ partnerId, environment });
    const company = await operator.companies.create({ name: 'Test', environment });
    await operator.access.grant({ keyId: key.id, companyId: company.id });
    const place = {
      location: { city: 'Reno', state: 'NV', country: 'US' },
      compensation: { currency: 'USD' },
    };
    const job = await operator.jobs.publish({ companyId: company.id, title: 'Test', ...place });
    const id = await submitWith(secret, job.id, host, operator);
    await expect.poll(async () => (await operator.system.status()).inbox.unread, SOON).toBe(0);
    expect(id).toMatch(/^ej_app_/);
    expect(await idsAt(host)).not.toContain(id);
  });

  it('deletes its own row after an erasure', async () => {
    const operator = await openOperator(host);
    const id = await host.submit('erased@example.org');
    await expect.poll(() => idsAt(host), SOON).toContain(id);
    await operator.candidates.erase({ applicationId: id });
    await expect.poll(() => idsAt(host), SOON).not.toContain(id);
    expect((await operator.system.status()).inbox).toMatchObject({ unread: 0, parked: 0 });
  });

  it('refuses a row that it cannot map, and keeps its job open', async () => {
    const operator = await openOperator(host);
    const pool = new pg.Pool({ connectionString: host.databaseUrl() });
    onTestFinished(() => pool.end());
    const setCity = (city: string) => pool.query("update opening set city = $1 where id = '4711'", [city]);
    const refusedRows = async () => {
      await operator.jobs.syncs.request();
      return (await operator.jobs.syncs.last())?.refused.map(({ message }) => message);
    };
    await setCity('Austin');
    await expect.poll(refusedRows, { ...SOON, interval: 300 }).toEqual(['Opening 4711 has no state.']);
    expect((await operator.jobs.find({ id: 'job_4711' }))?.state).toBe('open');
    await setCity('Austin, TX');
    await expect.poll(refusedRows, { ...SOON, interval: 300 }).toEqual([]);
  });

  it('passes the tests that its page shows', async () => {
    expect(await host.run('npm', 'test')).toMatch(/^# pass 1$/m);
  });

  it('hands each item of the inbox over once, and runs one sync at a time, also with a second replica', async () => {
    const operator = await openOperator(host);
    const before = (await itemsAt(host)).received;
    const replica = await host.startReplica('node', 'dist/server.js');
    const emails = Array.from({ length: 8 }, (_, number) => `person${number}@example.org`);
    const ids = await Promise.all(emails.map(host.submit));
    await expect.poll(() => idsAt(replica), SOON).toEqual(expect.arrayContaining(ids));
    await expect.poll(() => itemsAt(host, replica), SOON).toEqual({ received: before + 8, refused: 0 });

    const pool = new pg.Pool({ connectionString: host.databaseUrl() });
    onTestFinished(() => pool.end());
    const states: readonly JobState[] = ['open', 'closed', 'open'];
    for (const state of states) {
      await pool.query("update opening set is_open = $1 where id = '4712'", [state === 'open']);
      // A run under way may have read the table already, so this asks again.
      const syncAgain = async () => {
        await operator.jobs.syncs.request();
        return (await operator.jobs.find({ id: 'job_4712' }))?.state;
      };
      await expect.poll(syncAgain, { ...SOON, interval: 300 }).toBe(state);
    }
    const { items } = await operator.operations.list();
    const runs = items.filter(({ plan }) => plan.kind === 'sync_jobs').toReversed();
    // The first load has added the other job.
    expect(runs.map(changesOf).filter((changes) => changes > 0)).toEqual([1, 1, 1, 1]);
    for (const [index, { createdAt }] of runs.entries()) {
      if (index > 0) expect(runs[index - 1]?.finishedAt).toBeLessThanOrEqual(createdAt);
    }
    expect((await itemsAt(host, replica)).refused).toBe(0);
  });

  it('logs the SQL state of an item that its table refuses, without the candidate', async () => {
    const pool = new pg.Pool({ connectionString: host.databaseUrl() });
    onTestFinished(() => pool.end());
    await pool.query('alter table candidate add constraint full_house check (false) not valid');
    const id = await submitAsOther(host, await openOperator(host));
    await expect.poll(() => host.output(), SOON).toContain('"code":"23514"');
    await pool.query('alter table candidate drop constraint full_house');
    await expect.poll(() => idsAt(host), SOON).toContain(id);
    expect(host.output()).toContain('full_house');
    expect(host.output()).not.toMatch(/Lovelace|ada@example/);
  });
});
