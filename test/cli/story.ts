import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { argumentName } from '../../packages/cli/src/command/command-option.js';
import { summaryOf } from '../../packages/cli/src/command/command-words.js';
import { OPERATOR_TABLE } from '../../packages/cli/src/commands/all-commands.js';
import { commandPaths } from './command-paths.js';
import { type CliServer, openServer, SEALING_KEY } from './open-server.js';
import { runCli } from './run-cli.js';

export const API = 'http://example/api/v1/external';

interface WithId {
  readonly id: string;
}

/** A partner with a production key and an endpoint, a company that it may see, and a job. */
export async function setUp({ cli, json }: CliServer) {
  const partner = (await json('partners', 'create', 'Acme ATS')) as WithId;
  const issued = (await json(
    'keys',
    'issue',
    partner.id,
    'production',
    '--endpoint',
    'https://ats.invalid/hooks',
  )) as { readonly key: WithId; readonly secret: string };
  const company = (await json('companies', 'create', 'Bistro Nord', 'production')) as WithId;
  const keyId = issued.key.id;
  expect((await cli('access', 'grant', keyId, company.id)).stdout).toBe('Granted.');
  const job = (await json(
    'jobs',
    'publish',
    company.id,
    'Line Cook',
    '--city',
    'Reno',
    '--state',
    'NV',
  )) as WithId;
  return { partnerId: partner.id, keyId, secret: issued.secret, companyId: company.id, jobId: job.id };
}

/** Submits an application, waits until the request log contains the request, and returns the application's id. */
export async function submit(
  { partnerHiring, json }: CliServer,
  secret: string,
  jobId: string,
): Promise<string> {
  const candidate = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    phone: '+14155550123',
  };
  const reply = await partnerHiring.fetch(
    new Request(`${API}/applications`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ jobId, candidate, consentToContact: true }),
    }),
  );
  const id = String(((await reply.json()) as WithId).id);
  await vi.waitFor(
    async () => {
      const logged = await json('requests', 'list', '--application', id);
      expect(logged).toMatchObject({ items: [{ status: 201 }] });
    },
    { timeout: 30_000, interval: 200 },
  );
  return id;
}

/** What else lists something, and lists with options. A list of candidates needs one. */
const MORE_LISTS = [
  'applications list --email ada@example.org',
  'deliveries list --failing',
  'deliveries list --type job.opened',
  'inbox status',
  'inbox list --state parked',
];

/** Each command opens the database anew. */
const SLOW = { timeout: 120_000 };

/** Defines the story of an operator, on the storage of the Vitest project. */
export function tellStory(): void {
  test(
    'an operator lets a partner in, hires a candidate, looks for the reason, and erases it',
    SLOW,
    async () => {
      const server = await openServer();
      const { cli, json } = server;
      const { keyId, partnerId, secret, companyId, jobId } = await setUp(server);
      const id = await submit(server, secret, jobId);

      expect((await cli('applications')).stdout).toMatch(
        new RegExp(
          `^${id} +A… L… +Acme ATS \\(production\\) +Bistro Nord +${jobId} Line Cook +received`,
          'm',
        ),
      );
      const begun = await cli('applications', 'move', id, '--as', 'ada', '--reason', 'ticket 815');
      const stderr = "Warning: The platform's own system is not told of this: its inbox is off.";
      expect(begun).toEqual({ code: 0, stdout: `${id} is now in_progress, video_interview.`, stderr });
      expect((await cli('applications', 'decide', id, 'accepted')).stdout).toContain('is now accepted');
      const shown = await cli('applications', 'show', id);
      expect(shown.stdout).toMatch(/^Partner key +key_\w+ Acme ATS \(production\)$/m);
      expect(shown.stdout).toMatch(/^Job +job_\w+ Line Cook at Bistro Nord$/m);

      const found = await cli('find', 'ada lov');
      expect(found.stdout).toMatch(new RegExp(`^People\\n.*\\n${id} +A… L… +a…@`, 'm'));
      expect((await cli('find', 'bistro')).stdout).toMatch(/^Companies\n.*\nco_\w+ +Bistro Nord/m);
      expect((await cli('find', 'nobody')).stdout).toContain('Nothing found.');
      expect((await cli('timeline', id)).stdout).toContain('Does the partner know?');
      expect((await cli('timeline', jobId)).stdout).toContain('jobs.publish');
      expect((await cli('timeline', jobId, '--key', keyId)).stdout).toContain('Does the partner know?');
      expect((await cli('timeline', keyId)).stdout).toContain('keys.issue');
      expect((await cli('timeline', id, '--key', keyId)).stderr).toContain('--key needs the id of a job.');

      expect((await cli('deliveries')).stdout).toMatch(
        new RegExp(`^KEY +PARTNER +DUE .*\\n${keyId} +Acme ATS \\(production\\) +2 `),
      );
      const first = (await json('deliveries', 'list', '--key', keyId)) as {
        readonly items: readonly { readonly eventId: string; readonly type: string }[];
      };
      const { items: deliveries } = first;
      expect(deliveries).toHaveLength(2);
      const listed = async (...words: readonly string[]) => {
        const page = (await json('deliveries', 'list', ...words)) as typeof first;
        return page.items.map(({ type }) => type);
      };
      expect(await listed('--application', id)).toEqual(['application.status_changed']);
      expect(await listed('--partner', partnerId)).toEqual(['application.status_changed', 'job.opened']);
      expect(await listed('--partner', partnerId, '--type', 'job.opened')).toEqual(['job.opened']);
      expect(await listed('--failing')).toEqual([]);
      const cancelled = await cli('deliveries', 'cancel', keyId, deliveries[0]?.eventId ?? '');
      expect(cancelled.stdout).toBe('Cancelled.');
      const acts = await json('audit', 'list', '--actor', 'ada');
      expect(acts).toMatchObject({
        items: [{ act: 'applications.move', actor: { reason: 'ticket 815' } }],
      });

      const reveal = ['--reveal', '--as', 'ada', '--reason', 'request 12'];
      const revealed = await cli('applications', 'show', id, ...reveal);
      expect(revealed.stdout).toMatch(/^E-mail +ada@example\.org$/m);
      const exported = await json('export', '--application', id, ...reveal);
      expect(JSON.stringify(exported)).toContain('ada@example.org');
      expect(await json('audit', 'list', '--act', 'candidates.reveal')).toMatchObject({
        items: [1, 2].map(() => ({ objects: [{ id }], actor: { id: 'ada', reason: 'request 12' } })),
      });
      expect((await cli('erase', '--email', 'ADA@example.org', '--yes')).stdout).toMatch(
        new RegExp(`^Erased: ${id}\\.`),
      );
      expect((await cli('applications', 'list', '--email', 'ada@example.org')).stdout).toMatch(
        /^Nobody was found\./,
      );
      expect((await cli('jobs', 'count', companyId, '--state', 'open')).stdout).toBe('Jobs, open: 1');
      expect((await cli('jobs', 'close-all', companyId)).stdout).toMatch(
        /^Closing 1 jobs: operations show op_/,
      );
      expect((await cli('jobs', 'close', jobId)).stdout).toContain('is now closed');
    },
  );

  test('prints every list as a table and as JSON', SLOW, async () => {
    const server = await openServer();
    const { keyId, secret, companyId, jobId } = await setUp(server);
    const application = await submit(server, secret, jobId);
    const acts = (await server.json('audit', 'list')) as {
      readonly items: readonly { readonly id: string }[];
    };
    const ids = new Map([
      ['id', acts.items[0]?.id ?? ''],
      ['key', keyId],
      ['other-key', keyId],
      ['company', companyId],
      ['job', jobId],
      ['application', application],
    ]);
    const commands = commandPaths(OPERATOR_TABLE).filter(({ path }) => path.includes(' '));
    const lists = commands.filter(
      ({ path, command }) =>
        /^(?:Lists|Counts) /.test(summaryOf(command)) &&
        !MORE_LISTS.some((list) => list.startsWith(`${path} --email`)) &&
        // It needs a key or a partner: `requests.test.ts` prints it.
        path !== 'events list',
    );
    expect(lists.length).toBeGreaterThan(15);
    for (const list of [...lists.map(({ path }) => path), ...MORE_LISTS]) {
      const { arguments: args = [] } = commands.find(({ path }) => list.startsWith(path))?.command ?? {};
      const words = [...list.split(' '), ...args.map((name) => ids.get(argumentName(name)) ?? '')];
      const [table, page] = await Promise.all([server.cli(...words), server.json(...words)]);
      expect(table, list).toMatchObject({ code: 0, stderr: '' });
      expect(table.stdout, list).not.toBe('');
      expect(page, list).toBeInstanceOf(Object);
    }
  });

  test('encrypts and decrypts signing secrets only with the key of the server', SLOW, async () => {
    const server = await openServer();
    const { keyId, partnerId } = await setUp(server);
    const withoutKey = (...words: readonly string[]) => runCli([...server.connection, ...words]);
    const needed = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^MISCONFIGURED: This command .*--sealing-key-file FILE, or set PARTNER_HIRING_SEALING_KEY\.$/,
      ),
    };
    expect(await withoutKey('endpoints', 'rotate-secret', keyId)).toEqual(needed);
    expect(
      await withoutKey('keys', 'issue', partnerId, 'sandbox', '--endpoint', 'https://ats.invalid/'),
    ).toEqual(needed);
    // The key itself has no endpoint, and nothing of the refused command is stored.
    expect((await withoutKey('keys', 'issue', partnerId, 'sandbox')).code).toBe(0);
    expect((await withoutKey('endpoints', 'set', keyId, 'https://ats.invalid/new')).code).toBe(0);

    const wrong = await runCli([...server.connection, 'endpoints', 'rotate-secret', keyId], {
      env: { PARTNER_HIRING_SEALING_KEY: 'fedcba9876543210'.repeat(4) },
    });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(
      /^PARTNER_HIRING_SEALING_KEY is not the key that encrypted the signing secrets/,
    );
    const rotated = await server.cli('endpoints', 'rotate-secret', keyId);
    expect(rotated.stdout).toMatch(/^Save the new signing secret now\. It is not shown again:\n {2}whsec_/);
    const [secret = ''] = /whsec_\S+/.exec(rotated.stdout) ?? [];
    expect(`${await server.json('endpoints', 'list')} ${SEALING_KEY}`).not.toContain(secret);
    const tested = await server.cli('endpoints', 'test', keyId);
    expect(tested).toMatchObject({ code: 1, stderr: '' });
    expect(tested.stdout).toContain('Not accepted: ');
  });

  test('acts by the options of the server', SLOW, async () => {
    const server = await openServer();
    const { keyId, partnerId, secret, jobId } = await setUp(server);
    const { key } = (await server.json('keys', 'issue', partnerId, 'sandbox')) as { readonly key: WithId };
    expect((await server.cli('sandbox', 'prepare', key.id)).stderr).toBe(
      'MISCONFIGURED: The sandbox is disabled. If the server has `sandbox: true`, pass --sandbox.',
    );
    expect((await server.cli('sandbox', 'prepare', key.id, '--sandbox')).stdout).toContain('Prepared');

    const id = await submit(server, secret, jobId);
    const early = await server.cli('applications', 'decide', id, 'rejected');
    expect(early.stderr).toContain('pass --decide-from-received if the server allows it.');
    const allowed = await server.cli('--decide-from-received', 'applications', 'decide', id, 'rejected');
    expect(allowed.stdout).toContain('is now rejected');

    const plain = ['endpoints', 'set', keyId, 'http://127.0.0.1:1/'];
    expect((await server.cli(...plain)).stderr).toContain('--allow-private-networks allows http');
    expect((await server.cli(...plain, '--allow-private-networks')).stdout).toContain(
      'Webhooks go to http://127',
    );
  });
}
