/** The commands on partners, and the search for people. */
import { randomUUID } from 'node:crypto';
import { submission } from '@partner-hiring/test-support/partner';
import { expect, test } from 'vitest';
import { type CliServer, openServer } from './open-server.js';

/** Brings a partner in, which sees a job. */
async function bringIn({ partnerHiring, json }: CliServer) {
  const { operator, fetch } = partnerHiring;
  const { id: companyId } = await operator.companies.create({
    name: 'Bistro Nord',
    environment: 'production',
  });
  const place = ['--city', 'Reno', '--state', 'NV'];
  const job = (await json('jobs', 'publish', companyId, 'Line Cook', ...place)) as { readonly id: string };
  const partner = await operator.partners.create({
    name: 'Acme ATS',
    keys: [{ environment: 'production', companyIds: [companyId] }],
  });
  const [production] = partner.keys;
  const send = (method: string, path: string, body: object | null = null) =>
    fetch(
      new Request(`http://example/api/v1/external${path}`, {
        method,
        headers: {
          authorization: `Bearer ${production?.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: body === null ? null : JSON.stringify(body),
      }),
    );
  return { id: partner.id, keyId: production?.key.id ?? 'key_none', jobId: job.id, send };
}

test('partners create issues the keys that --keys names, with companies and endpoints', async () => {
  const { cli, json, partnerHiring } = await openServer();
  const { operator } = partnerHiring;
  await operator.companies.create({ name: 'Bistro Nord', environment: 'production' });
  const alone = await cli('partners', 'create', 'Acme ATS');
  expect(alone.stdout).toMatch(/^Created (ptn_\w+)\. Issue it a key: keys issue \1 sandbox$/);
  const production = ['--companies', 'bistro nord', '--endpoint', 'https://ats.example/hooks'];
  const { stdout } = await cli(
    'partners',
    'create',
    'Globex',
    '--keys',
    'sandbox, production',
    ...production,
  );
  expect(stdout).toMatch(/^Globex is ptn_\w+\. Save these secrets now/);
  expect(stdout).toMatch(
    /Production key key_\w+\n {2}API key +pek_live_\S+\n {2}webhook secret +whsec_\S+\n {2}companies +1\nSandbox key key_\w+\n {2}API key +pek_test_\S+\nGive/,
  );
  const sandbox = ['--keys', 'sandbox', '--sandbox-endpoint', 'https://test.example/hooks'];
  expect(await json('partners', 'create', 'Initech', ...sandbox)).toMatchObject({
    name: 'Initech',
    keys: [{ key: { environment: 'sandbox' }, endpoint: { url: 'https://test.example/hooks' }, access: [] }],
  });
  for (const [options, message] of [
    [production.slice(0, 2), '--companies belongs to the production key: add --keys production.'],
    [['--keys', 'sandbox', ...production.slice(2)], '--endpoint belongs to the production key'],
    [['--keys', 'production', ...sandbox.slice(2)], '--sandbox-endpoint belongs to the sandbox key'],
    [['--keys', 'live'], 'keys[0].environment must be one of production, sandbox'],
    [['--keys', 'production', '--endpoint', 'a'], 'partners create: --endpoint must be an absolute URL'],
  ] as const) {
    const refused = await cli('partners', 'create', 'Late', ...options);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(message)]);
  }
  expect((await operator.partners.list()).items).toHaveLength(3);
});

test('partners rename, disable and enable change a partner once, and keys stop and work again', async () => {
  const server = await openServer();
  const { cli, partnerHiring } = server;
  const { id, send } = await bringIn(server);
  expect((await cli('partners', 'rename', id, 'Acme Hiring')).stdout).toBe('Renamed to Acme Hiring.');
  expect((await cli('partners', 'rename', id, 'Acme Hiring')).stdout).toMatch(/^Unchanged: /);
  expect((await partnerHiring.operator.partners.find({ id }))?.name).toBe('Acme Hiring');

  expect((await cli('partners', 'disable', id)).stdout).toBe(
    `Disabled: its keys get 401, and its events wait. To undo: partners enable ${id}`,
  );
  expect((await cli('partners', 'disable', id)).stdout).toMatch(/^Unchanged: /);
  expect((await send('GET', '/jobs')).status).toBe(401);
  expect((await cli('partners', 'enable', id)).stdout).toMatch(/^Enabled: its keys work/);
  expect((await cli('partners', 'enable', id)).stdout).toBe('Unchanged: the partner is enabled.');
  expect((await send('GET', '/jobs')).status).toBe(200);
  expect((await cli('partners', 'rename', 'ptn_none', 'X')).code).toBe(1);
});

test('partners contact shows, sets and clears the contact, and says what is wrong', async () => {
  const server = await openServer();
  const { cli, json, partnerHiring } = server;
  const { id } = await bringIn(server);
  const none = 'Acme ATS has no contact, so nobody there gets messages.';
  expect((await cli('partners', 'contact', id)).stdout).toBe(none);
  const robin = ['--name', 'Robin Field', '--email', 'robin@ats.example'];
  const known = 'The contact of Acme ATS is Robin Field <robin@ats.example>.';
  expect((await cli('partners', 'contact', id, ...robin)).stdout).toBe(known);
  expect((await cli('partners', 'contact', id, ...robin)).stdout).toBe(`Unchanged. ${known}`);
  expect((await cli('partners', 'contact', id)).stdout).toBe(known);
  expect(await json('partners', 'contact', id)).toEqual({ name: 'Robin Field', email: 'robin@ats.example' });
  for (const [options, message] of [
    [['--name', 'Robin'], 'A contact needs both --name and --email.'],
    [['--clear', '--name', 'Robin'], '--clear cannot be combined'],
    [['--name', 'Robin', '--email', 'robin'], 'email must be an e-mail address'],
  ] as const) {
    const refused = await cli('partners', 'contact', id, ...options);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(message)]);
  }
  expect((await partnerHiring.operator.partners.find({ id }))?.contact?.name).toBe('Robin Field');
  expect((await cli('partners', 'contact', id, '--clear')).stdout).toBe(none);
  expect((await cli('partners', 'contact', 'ptn_none')).code).toBe(1);
});

test('partners remove asks first, revokes the secrets, and hides the partner', async () => {
  const server = await openServer();
  const { cli, json } = server;
  const { id, send } = await bringIn(server);
  const asked = await cli('partners', 'remove', id);
  expect(asked.code).not.toBe(0);
  expect((await send('GET', '/jobs')).status).toBe(200);
  expect((await cli('partners', 'remove', id, '--yes')).stdout).toBe(
    'Removed Acme ATS. Secrets revoked: 1. Its applications and events are kept.',
  );
  expect((await send('GET', '/jobs')).status).toBe(401);
  expect((await cli('partners', 'remove', id, '--yes')).stdout).toMatch(/^Unchanged: /);
  expect(await json('partners', 'list')).toMatchObject({ items: [] });
  expect(await json('partners', 'list', '--removed')).toMatchObject({ items: [{ id }] });
});

test('partners health shows requests and errors of each environment, beside all others in it', async () => {
  const server = await openServer();
  const { cli, json, partnerHiring } = server;
  const { id, keyId, send } = await bringIn(server);
  await send('GET', '/jobs');
  await send('GET', '/applications/ej_app_none');
  // The server writes its counts before it answers.
  await partnerHiring.operator.partners.find({ id, health: true });
  const { stdout } = await cli('partners', 'health', id);
  expect(stdout).toMatch(/^production +24 h +2 +1 \(50\.0 %\) +APPLICATION_NOT_FOUND 1 /m);
  expect(stdout).toMatch(/^production +7 d +2 /m);
  expect(stdout).toMatch(/^all others, production +24 h +0 /m);
  expect(await json('partners', 'health', id)).toMatchObject({
    keys: [{ keyId, day: { requests: 2, errors: 1 }, others: { day: { requests: 0 } } }],
  });
  expect((await cli('partners', 'health', 'ptn_none')).code).toBe(1);
});

test('find finds people by both names in either order, and shows them masked', async () => {
  const server = await openServer();
  const { cli } = server;
  const { jobId, send } = await bringIn(server);
  const candidate = {
    firstName: 'Chloé',
    lastName: 'Dubois',
    email: 'chloe@example.org',
    phone: '+14155550123',
  };
  const reply = await send('POST', '/applications', submission(jobId, { candidate }));
  const { id } = (await reply.json()) as { readonly id: string };
  for (const text of ['chloe dubois', 'DUBOIS chl', 'chloe@example.org', '+1 415 555 0123']) {
    const { stdout } = await cli('find', text);
    expect(stdout, text).toMatch(new RegExp(`${id} +C… D…`));
    expect(stdout).not.toMatch(/Dubois|chloe@|5550123/);
  }
  expect((await cli('applications', 'list', '--email', 'CHLOE@example.org')).stdout).toContain(id);
  expect((await cli('find', 'chloe smith')).stdout).toContain('Nothing found.');
});

test('keys readiness shows the evidence of a key and how to get the rest, and probes on request', async () => {
  const server = await openServer();
  const { cli, json, partnerHiring } = server;
  const { id, keyId, send } = await bringIn(server);
  await send('GET', '/applications');
  // The server writes its evidence before it answers.
  await partnerHiring.operator.keys.readiness({ id: keyId });
  const { stdout, code } = await cli('keys', 'readiness', keyId);
  expect(stdout).toMatch(/^done {2}Read applications, first 20\S+ \S+Z \([\w-]+\)$/m);
  expect(stdout).toMatch(/^open {2}Read jobs with a cursor\n +No GET .*\n +Call GET \/jobs\?limit=1\./m);
  expect(stdout).toMatch(/^1 of 11 done\. Never probed\.$/m);
  expect(code).toBe(0);
  expect((await cli('keys', 'readiness', keyId, '--probe')).stderr).toContain(
    'production keys are not probed',
  );

  const issued = (await json('keys', 'issue', id, 'sandbox', '--endpoint', 'https://127.0.0.1:1/x')) as {
    readonly key: { readonly id: string };
  };
  const probed = await cli('keys', 'readiness', issued.key.id, '--probe');
  expect(probed.stdout).toMatch(
    /The probe failed \(\S+\)\. The endpoint gave no answer to a correct event\./,
  );
  expect(probed.code).toBe(1);
  expect((await cli('keys', 'readiness', issued.key.id, '--probe')).stderr).toContain('Try again in ');
});

test('keys issue takes the reason of an override', async () => {
  const server = await openServer();
  const { cli, json, partnerHiring } = server;
  const { id } = await partnerHiring.operator.partners.create({ name: 'Acme ATS' });
  const { key } = (await json('keys', 'issue', id, 'production', '--override', 'ticket 815')) as {
    readonly key: { readonly id: string };
  };
  const { items } = await partnerHiring.operator.audit.list({ object: { kind: 'key', id: key.id } });
  expect(items[0]?.after).toMatchObject({ override: 'ticket 815' });
  expect((await cli('keys', 'issue', id, 'sandbox', '--override', ' ')).code).not.toBe(0);
});

test('portal link prints a link that works once, and portal revoke ends it', async () => {
  const server = await openServer();
  const { cli, partnerHiring } = server;
  const { id } = await bringIn(server);
  const url = 'https://jobs.example.com/portal';
  const made = await cli('portal', 'link', id, '--url', url, '--rights', 'keys,requests');
  const [link = ''] = /https:\S+$/.exec(made.stdout) ?? [];
  const token = new URL(link).searchParams.get('token') ?? '';
  const pass = { token, host: 'jobs.example.com', kind: 'link' } as const;
  expect((await partnerHiring.operator.portal.find(pass))?.rights).toEqual(['keys', 'requests']);
  expect((await cli('portal', 'revoke', id)).stdout).toBe('Ended 1 link and 0 sessions.');
  expect((await cli('portal', 'revoke', id)).stdout).toMatch(/^Unchanged: /);
  expect(await partnerHiring.operator.portal.find(pass)).toBeNull();
  expect((await cli('portal', 'link', id, '--url', url, '--rights', 'all')).code).not.toBe(0);
  expect((await cli('portal', 'link', id)).stderr).toContain('portalUrl');
});

test('keys lower-limits lowers limits for hours, keys list says until when, and keys lift-limits ends that', async () => {
  const server = await openServer();
  const { cli, json } = server;
  const { keyId, send } = await bringIn(server);
  const lower = ['keys', 'lower-limits', keyId, 'Reads all jobs each second'];
  const limits = ['--limit', 'list_jobs=6', '--limit', 'guard=20'];
  const lowered = await cli(...lower, ...limits, '--for-hours', '168');
  expect(lowered.stdout).toMatch(/^Lower limits until \d{4}-\d\d-\d\d/);
  expect((await send('GET', '/jobs')).headers.get('x-ratelimit-limit')).toBe('6');
  expect((await send('GET', '/nothing')).headers.get('x-ratelimit-limit')).toBe('20');
  expect((await cli('keys', 'list')).stdout).toContain('LOWER LIMITS UNTIL');
  expect(await json('keys', 'list')).toMatchObject({
    items: [{ key: { loweredLimits: { perMinute: { list_jobs: 6, guard: 20 }, reason: lower[3] } } }],
  });
  // Only the server knows its limits, which may be higher than the default ones.
  expect((await cli(...lower, '--limit', 'list_jobs=300', '--for-hours', '1')).code).toBe(0);
  for (const [wrong, message] of [
    [['--for-hours', '1'], 'must have a limit'],
    [['--limit', 'list_jobs', '--for-hours', '1'], 'from 1 to'],
    [['--limit', 'jobs=1', '--for-hours', '1'], 'a name must be one of submit_application'],
    [['--limit', 'list_jobs=0', '--for-hours', '1'], 'from 1 to'],
    [[...limits, '--for-hours', '169'], '--for-hours must be from 0 to 168'],
    [limits, 'must have either'],
    [[...limits, '--until', '2020-01-01T00:00Z'], 'until must be from now to 168 hours from now'],
  ] as const) {
    const { code, stderr } = await cli(...lower, ...wrong);
    expect(code, message).not.toBe(0);
    expect(stderr).toContain(message);
  }
  expect((await cli('keys', 'lift-limits', keyId)).stdout).toContain('The usual limits apply again.');
  expect((await cli('keys', 'lift-limits', keyId)).stdout).toContain('Unchanged');
  expect((await send('GET', '/jobs')).headers.get('x-ratelimit-limit')).toBe('60');
});
