import { expect, test } from 'vitest';
import { UsageError } from '../../packages/cli/src/command/command-error.js';
import { openOperator } from './open-operator.js';

test('the operator command names who acts, and shows who did what', async () => {
  const { run, operator, seeded } = await openOperator();
  const { id: keyId } = seeded.production.key;
  await run('endpoints', 'pause', keyId, '--as', 'ada', '--reason', 'ticket 815');
  const textOf = async (...words: string[]) => (await run('audit', ...words)).text;
  expect(await textOf('--limit', '1')).toMatch(
    /Z +ada +library +endpoints\.pause +key_\S+ +.*state=active +state=paused pausedReason=operator +ticket 815 +aud_\S+\n\nNext page: --cursor /,
  );
  expect(await textOf('list', '--object', `endpoint:${keyId}`)).toContain('endpoints.pause');
  expect(await textOf('list', '--object', keyId)).toContain('keys.issue');
  expect(await textOf('list', '--actor', 'ada')).toContain('ticket 815');
  expect(await textOf('list', '--act', 'keys.issue', '--until', '2026-01-01T00:00Z')).toBe('No acts.');
  await expect(run('audit', 'list', '--act', 'jobs.clos')).rejects.toThrow('Did you mean jobs.close?');
  await expect(run('audit', 'list', '--object', 'ada')).rejects.toThrow(UsageError);
  await expect(run('audit', 'list', '--act', 'keys.issue', '--actor', 'ada')).rejects.toThrow(
    'cannot be combined',
  );
  expect((await operator.audit.list({ actorId: 'ada' })).items).toHaveLength(1);
});
