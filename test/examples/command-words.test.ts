import { OperatorError } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import { inCommandWords } from '../../packages/cli/src/command/command-words.js';
import { OPERATOR_TABLE } from '../../packages/cli/src/commands/all-commands.js';
import { commandOf, openOperator } from './open-operator.js';

test('errors of the library are rewritten for the command line', async () => {
  const { run, seeded } = await openOperator();
  const { id: keyId, partnerId } = seeded.production.key;
  const refusals: readonly (readonly [words: string, told: string])[] = [
    ['keys rotate key_none', 'keys list shows all keys.'],
    [`keys issue ${partnerId} sandbox`, 'Replace its secret with keys rotate.'],
    [`keys issue ${partnerId} sandbox --endpoint ftp://x`, 'keys issue: --endpoint must be https or http.'],
    [`access revoke ${keyId} co_bluebird`, 'Grant it with access grant.'],
    ['jobs publish co_harbor Cook --min 5 --max 4', '--min must not exceed'],
    ['jobs publish co_harbor Cook --headcount 1.5', '--headcount must be an integer'],
    [
      'jobs publish co_harbor Cook --job job_harbor_picker',
      "Change it with the library's jobs.update, or offer it again with jobs reopen.",
    ],
    [`endpoints set ${keyId} x`, 'endpoints set: <url> must be an absolute URL'],
    ['deliveries dead --limit 0', 'deliveries list: --limit must be an integer'],
    [`deliveries resend --key ${keyId} --since 1960-01-01T00:00Z`, 'deliveries resend: --since must be'],
    [`deliveries attempts ${keyId} --cursor x`, 'deliveries attempts: --cursor must be'],
  ];
  for (const [line, told] of refusals) {
    const words = line.split(' ');
    const error: unknown = await run(...words).catch((reason: unknown) => reason);
    if (!(error instanceof OperatorError)) throw new Error(`"${line}" was not refused: ${String(error)}`);
    expect(inCommandWords(error.message, OPERATOR_TABLE, commandOf(words).command)).toContain(told);
  }
});
