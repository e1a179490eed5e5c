/** The logs of requests and events on the command line. */
import { randomUUID } from 'node:crypto';
import { submission } from '@partner-hiring/test-support/partner';
import { expect, test } from 'vitest';
import { openServer } from './open-server.js';

test('requests answers which field of a job refused submissions, and by which code', async () => {
  const { partnerHiring, cli, json } = await openServer();
  const { partners, companies, requests } = partnerHiring.operator;
  const { keys } = await partners.create({ name: 'Acme ATS', keys: [{ environment: 'production' }] });
  const { id: companyId } = await companies.create({ name: 'Bistro Nord', environment: 'production' });
  const place = ['--city', 'Reno', '--state', 'NV'];
  const published = await json('jobs', 'publish', companyId, 'Line Cook', ...place);
  const jobId = String((published as { readonly id: string }).id);
  const post = async (changes: Readonly<Record<string, unknown>>) => {
    const { headers } = await partnerHiring.fetch(
      new Request('http://example/api/v1/external/applications', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[0]?.secret}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify(submission(jobId, changes)),
      }),
    );
    return headers.get('x-request-id') ?? '';
  };
  const first = await post({ source: 7 });
  const second = await post({ consentToContact: false });
  // A list of the server writes what waits in its memory.
  await requests.list();

  const { stdout } = await cli('requests', 'list', '--job', jobId, '--field', 'source');
  expect(stdout).toMatch(
    new RegExp(`^.* ${first} .* 422 +VALIDATION_ERROR +source: invalid_type +${jobId} Line Cook`, 'm'),
  );
  expect(stdout).not.toContain(second);
  const of = async (...words: readonly string[]) => {
    const { items } = (await json('requests', 'list', ...words)) as {
      readonly items: readonly { readonly requestId: string }[];
    };
    return items.map(({ requestId }) => requestId);
  };
  expect(await of('--job', jobId)).toEqual([second, first]);
  expect(await of('--field-code', 'must_be_true')).toEqual([second]);
  expect((await cli('requests', 'list', '--field', 'candidate.emial')).stderr).toContain(
    'Did you mean candidate.email?',
  );
  const found = (await cli('requests', 'find', first)).stdout;
  expect(found).toContain(`Job: ${jobId} Line Cook`);
  expect(found).toContain('Fields: source: invalid_type');
});

test('events list prints the events of a key or a partner, as a table and as JSON', async () => {
  const { partnerHiring, cli, json } = await openServer();
  const { partners, companies } = partnerHiring.operator;
  const { id: companyId } = await companies.create({ name: 'Bistro Nord', environment: 'production' });
  const endpointUrl = 'https://ats.example/webhooks';
  const partner = await partners.create({
    name: 'Acme ATS',
    keys: [{ environment: 'production', companyIds: [companyId], endpointUrl }],
  });
  const keyId = partner.keys[0]?.key.id ?? 'key_none';
  const place = ['--city', 'Reno', '--state', 'NV'];
  await json('jobs', 'publish', companyId, 'Line Cook', ...place);

  const { stdout } = await cli('events', 'list', '--key', keyId);
  expect(stdout).toMatch(
    /^\S+ \S+ +Acme ATS \(production\) +evt_\w+ +job\.opened +\{.*"title":"Line Cook".*\}$/m,
  );
  const rows = [expect.objectContaining({ keyId, type: 'job.opened', body: expect.any(String) })];
  expect(await json('events', '--partner', partner.id)).toEqual({ items: rows, nextCursor: null });
  expect((await cli('events', 'list', '--key', keyId, '--type', 'job.closed')).stdout).toBe('No events.');
  expect((await cli('events', 'list')).stderr).toContain('--key or --partner, but not both');
  expect((await cli('events', 'list', '--key', 'key_none')).stderr).toContain('keys list');
});
