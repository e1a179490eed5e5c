import { expect, test } from 'vitest';
import { openOperator } from './open-operator.js';

test('the operator command prints counts, sends a test delivery, resends and cancels', async () => {
  const { run, seeded } = await openOperator();
  const keyId = seeded.production.key.id;
  const textOf = async (...words: readonly string[]) => (await run(...words)).text;

  const counts = await textOf('deliveries');
  expect(counts).toMatch(/^KEY +PARTNER +DUE +IN FLIGHT +SCHEDULED +PAUSED +DEAD +OLDEST +EXACT/);
  expect(counts).toMatch(/^all +- +[1-9]/m);
  // The endpoint does not listen.
  const tested = await run('endpoints', 'test', keyId, '--type', 'job.closed');
  expect(tested.isBadNews).toBe(true);
  expect(tested.text).toContain('"type":"job.closed"');
  expect(tested.text).toMatch(/Not accepted: connection_failed after \d+ ms\./);
  expect(await textOf('endpoints', 'show', keyId)).toMatch(/ is active\.\n0 failures in a row/);

  const { value } = await run('deliveries', 'list', '--key', keyId, '--limit', '1');
  const page = value as { readonly items: { readonly eventId: string }[]; readonly nextCursor: string };
  const [{ eventId } = { eventId: '' }] = page.items;
  const next = await textOf('deliveries', 'list', '--key', keyId, '--cursor', page.nextCursor);
  expect(next).toMatch(/^KEY +PARTNER +EVENT +TYPE +RECORDED +STATE +ATTEMPTS +NEXT +LAST OUTCOME +TOOK/);
  expect(next).not.toContain(eventId);
  expect(await textOf('deliveries', 'cancel', keyId, eventId)).toContain('Cancelled.');
  expect(await textOf('deliveries', 'show', keyId, eventId)).toMatch(/^cancelled, 0 attempts in cycle 1$/m);
  const resend = (...words: readonly string[]) => textOf('deliveries', 'resend', '--key', keyId, ...words);
  expect(await resend('--event', eventId)).toBe('Resending 1.');
  expect(await resend('--event', eventId, '--event', 'evt_none')).toBe(
    'Resending 0. Skipped 1.\nNo event evt_none: it is unknown, or no longer stored.',
  );
  expect(await resend('--since', '2026-01-01T00:00Z')).toBe('Resending 0. Skipped 3.');
  expect(await textOf('deliveries', 'attempts', keyId)).toContain('No recorded attempts');

  const hidden = async (...words: readonly string[]) =>
    / listed\. To list (\w+), use (.*)/.exec(await textOf('deliveries', 'list', ...words))?.slice(1) ?? null;
  expect(await hidden()).toEqual(['others', '--state delivered|dead|cancelled, or --key ID.']);
  expect(await hidden('--state', 'delivered')).toEqual(['them', '--key ID.']);
  expect(await hidden('--state', 'dead')).toBeNull();
  expect(await hidden('--key', keyId)).toBeNull();
});

test('the operator command prints keys as JSON, without secrets', async () => {
  const { run, seeded } = await openOperator();
  const { value } = await run('keys');
  expect(value).toMatchObject({
    items: [
      { key: { id: seeded.production.key.id, environment: 'production' }, secrets: [{ state: 'current' }] },
      { key: { environment: 'sandbox' } },
    ],
  });
  expect(JSON.stringify(value)).not.toContain(seeded.production.secret);
});
