/** Runs every command of the runbooks on PostgreSQL. `test/docs/alerts.test.ts` runs them on SQLite. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openServer } from '../cli/open-server.js';
import { readPage } from '../docs/fences.js';
import { fillIn } from '../docs/fill-in.js';
import { letIn } from '../docs/host.js';

const COMMANDS = [...readPage('docs/runbooks.md').matchAll(/npx partner-hiring ([^`\n]+)/g)].map(
  ([, words = '']) => words.trim(),
);

test('every command of the runbooks succeeds', { timeout: 120_000 }, async () => {
  expect(COMMANDS.length).toBeGreaterThan(25);
  const { cli, partnerHiring } = await openServer();
  const { key, secret } = await letIn(partnerHiring, 'https://ats.invalid/hooks');
  const refused = await partnerHiring.fetch(
    new Request('http://example/api/v1/external/applications', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() },
      body: '{}',
    }),
  );
  // Reading the list writes what this process has in memory of the log.
  await partnerHiring.operator.requests.list();
  const { items: deliveries } = await partnerHiring.operator.deliveries.list({ keyId: key.id });
  const ids = {
    key_acme: key.id,
    evt_4711: deliveries[0]?.eventId ?? '',
    '0b5e2c1e': refused.headers.get('x-request-id') ?? '',
  };
  for (const command of COMMANDS) {
    const run = await cli(...fillIn(command, ids).split(' '));
    // The tests' server does not wait for the disk, and this receiver does not exist.
    const said: Readonly<Record<string, string>> = { doctor: 'durability', endpoints: 'Not accepted: ' };
    const isExpected = command.startsWith('doctor') || command.startsWith('endpoints test');
    if (isExpected) expect(run.stdout, command).toContain(said[command.split(' ')[0] ?? '']);
    else expect(run, command).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout, command).not.toBe('');
  }
});
