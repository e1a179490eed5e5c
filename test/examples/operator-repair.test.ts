import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointReport, Page } from '@partner-hiring/core';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { describe, expect, test } from 'vitest';
import { sumBacklogs } from '../../packages/core/src/domain/backlog.js';
import { FRESH_HEALTH } from '../../packages/core/src/domain/endpoint.js';
import { commandOf, openOperator } from './open-operator.js';

describe('the operator command retries now', () => {
  test('all deliveries of a key, and previews it', async () => {
    const { run, seeded } = await openOperator();
    const { id: keyId } = seeded.production.key;
    await run('endpoints', 'pause', keyId);
    const textOf = async (...words: string[]) => (await run(...words)).text;
    expect(await textOf('endpoints', 'resume', keyId, '--retry-now', '--dry-run')).toMatch(
      /would become active\. Would resend 0\.$/,
    );
    expect(await textOf('endpoints', 'resume', keyId, '--retry-now')).toMatch(
      /is now active\. Resending 0\.$/,
    );
    expect(await textOf('endpoints', 'resume', keyId)).toMatch(/was already active\.$/);
    for (const choice of [
      ['--only', 'undelivered'],
      ['--since', '2026-01-01T00:00Z'],
    ])
      expect(await textOf('deliveries', 'resend', '--key', keyId, ...choice, '--dry-run')).toBe(
        'Would resend 0.',
      );
  });
});

test('the operator command lists failing endpoints', async () => {
  const { run, operator, seeded } = await openOperator();
  expect((await run('endpoints', 'failing')).text).toBe('No endpoint is failing.');
  const { id: keyId } = seeded.production.key;
  const page: Page<EndpointReport> = {
    items: [
      {
        keyId,
        partnerId: 'ptn_1',
        partnerName: 'Acme ATS',
        keyLabel: 'Acme ATS (production)',
        url: 'https://ats.example/secret-path',
        state: { kind: 'active' },
        health: {
          ...FRESH_HEALTH,
          firstFailureAt: 0,
          consecutiveFailures: 7,
          lastFailure: { kind: 'failed', failure: 'timed_out' },
        },
        createdAt: 0,
        resumedAt: null,
        replacedUrl: null,
        signingSecretId: 'id',
        counts: { ...sumBacklogs([], 0), due: 1, scheduled: 999, isExact: false },
      },
    ],
    nextCursor: 'next',
  };
  const asked: unknown[] = [];
  const endpoints = {
    ...operator.endpoints,
    list: async (filter?: object) => {
      asked.push(filter);
      return page;
    },
  };
  const { command, input } = commandOf(['endpoints', 'failing', '--limit', '1', '--cursor', 'here']);
  const { text } = await command.run({ ...operator, endpoints }, input);
  expect(asked).toEqual([{ limit: 1, cursor: 'here', onlyFailing: true }]);
  expect(text).toMatch(
    /Acme ATS +https:\/\/ats\.example +active +1970-01-01 00:00:00Z +7 +timed_out +1000 or more/,
  );
  expect(text).not.toContain('secret-path');
  expect(text).toMatch(/Next page: --cursor next$/);
});

describe('the operator command shows operations', () => {
  test('publishes the jobs of a file, lists the operation and stops it', async () => {
    const { run, operator } = await openOperator();
    expect((await run('operations', 'list')).text).toBe('No operations.');
    const { id: companyId } = await operator.companies.create({ name: 'Depot', environment: 'production' });
    const location = { city: 'Austin', state: 'TX', country: 'US' };
    const job = { companyId, title: 'Picker', location, compensation: { currency: 'USD' } };
    const folder = temporaryFolder();
    const file = join(folder, 'jobs.json');
    // As PowerShell writes it.
    await writeFile(file, Buffer.from(`\ufeff${JSON.stringify([job, job])}`, 'utf16le'));
    const imported = await run('jobs', 'import', file);
    const { id } = imported.value as { readonly id: string };
    expect(imported.text).toBe(`Publishing 2 jobs: operations show ${id}`);
    expect((await run('operations')).text).toMatch(
      new RegExp(`${id} +publish_jobs +- +running +0 of 2 done`),
    );
    expect((await run('operations', 'show', id)).text).toBe('publish_jobs is running: 0 of 2 done.');
    expect((await run('operations', 'stop', id)).text).toBe('Stopped: 0 of 2 done.');
    expect((await run('operations', 'stop', id)).text).toBe('Unchanged: the operation was already stopped.');
    expect((await run('operations', 'list', '--state', 'running')).text).toBe('No operations.');
    await writeFile(file, '{}');
    await expect(run('jobs', 'import', file)).rejects.toThrow('must contain a JSON array');
    await expect(run('jobs', 'import', `${file}.none`)).rejects.toThrow('must be the path of a JSON file');
  });
});
