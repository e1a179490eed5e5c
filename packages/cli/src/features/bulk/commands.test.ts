import { expect, it } from 'vitest';
import type { AnyOperator } from '../../command/command.js';
import { createCommandInput } from '../../command/command-input.js';
import type { OptionValues } from '../../command/command-option.js';
import { bulkGroup } from './commands.js';

const KEY = { keyId: 'key_1', keyLabel: 'Acme ATS (production)' };

/** Records what the library is asked. */
function opened(count = 12) {
  const asked: { readonly dryRun?: boolean }[] = [];
  const start = async (input: { readonly dryRun?: boolean }) => {
    asked.push(input);
    const operation = input.dryRun === true ? null : { id: 'op_1' };
    return { count, asOf: 7, notice: null, items: [KEY], operation };
  };
  return { asked, operator: { bulk: { start } } as unknown as AnyOperator };
}

const { start } = bulkGroup.commands;
if (start === undefined) throw new Error('The command is missing.');

it('counts and names the first before it asks, and changes nothing without an answer', async () => {
  const { asked, operator } = opened();
  const input = createCommandInput({ act: 'access.revoke' }, { id: 'co_1' });
  const { text, isBadNews } = await start.run(operator, input);
  expect(text).toContain('Nothing was changed. Found 12 objects: key_1 (Acme ATS (production)), and others.');
  expect(isBadNews).toBe(true);
  expect(asked).toEqual([{ act: 'access.revoke', ids: ['co_1'], dryRun: true }]);
});

it('starts what was counted with --yes, and names the operation', async () => {
  const { asked, operator } = opened();
  const options: OptionValues = { job: 'job_1', since: '2026-01-31', decision: 'rejected', yes: true };
  const { text } = await start.run(operator, createCommandInput({ act: 'applications.decide' }, options));
  expect(text).toBe('The worker runs applications.decide with 12 objects: operations show op_1');
  const since = Date.UTC(2026, 0, 31);
  const input = { act: 'applications.decide', decision: 'rejected', jobId: 'job_1', submittedSince: since };
  expect(asked).toEqual([
    { ...input, dryRun: true },
    { ...input, asOf: 7 },
  ]);
});

it('takes chosen endpoints, and only counts with --dry-run', async () => {
  const { asked, operator } = opened(1);
  const options: OptionValues = { id: 'key_1 key_2', only: 'undelivered', 'dry-run': true };
  const { text } = await start.run(operator, createCommandInput({ act: 'deliveries.resend' }, options));
  expect(text).toBe('Found 1 object: key_1 (Acme ATS (production)).');
  expect(asked).toEqual([
    { act: 'deliveries.resend', ids: ['key_1', 'key_2'], only: 'undelivered', dryRun: true },
  ]);
});
