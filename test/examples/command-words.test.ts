import { OperatorError } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../examples/server/operator/all-commands.js';
import { inCommandWords } from '../../examples/server/operator/command-words.js';
import { commandOf, openOperator } from './open-operator.js';

test('what the library refuses is told in words that can be typed', async () => {
  const { run, seeded } = await openOperator();
  const { id: keyId, partnerId } = seeded.production.key;
  const refusals: readonly (readonly [words: string, told: string])[] = [
    ['keys rotate key_none', 'keys list names those there are.'],
    [`keys issue ${partnerId} sandbox`, 'Use keys rotate to give it a new secret.'],
    [`keys issue ${partnerId} sandbox --endpoint ftp://x`, 'keys issue: --endpoint must be https or http.'],
    ['companies register Acme sandbox --company co_!', 'companies register: --company must be co_ and then'],
    [`access revoke ${keyId} co_bluebird`, 'Use access grant to grant it.'],
    ['jobs publish co_harbor Cook --min 5 --max 4', '--min must not exceed'],
    ['jobs publish co_harbor Cook --job job_! --headcount 1.5', '--headcount must be a whole number'],
    [
      'jobs publish co_harbor Cook --job job_harbor_picker',
      "Use the library's jobs.update to change it, jobs reopen",
    ],
    [`endpoints set ${keyId} x`, 'endpoints set: <url> must be an absolute URL'],
    ['deliveries dead --limit 0', 'deliveries dead: --limit must be a whole number'],
    [`deliveries replay ${keyId} --since 1960-01-01T00:00Z`, 'deliveries replay: --since must be'],
    [`deliveries attempts ${keyId} --cursor x`, 'deliveries attempts: --cursor must be'],
  ];
  for (const [line, told] of refusals) {
    const words = line.split(' ');
    const error: unknown = await run(...words).catch((reason: unknown) => reason);
    if (!(error instanceof OperatorError)) throw new Error(`"${line}" was not refused.`);
    expect(inCommandWords(error.message, ALL_COMMANDS, commandOf(words).command)).toContain(told);
  }
});
