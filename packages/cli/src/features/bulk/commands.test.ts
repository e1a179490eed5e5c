import { expect, it } from 'vitest';
import type { AnyOperator } from '../../command/command.js';
import { createCommandInput } from '../../command/command-input.js';
import type { OptionValues } from '../../command/command-option.js';
import { bulkCommands } from './commands.js';

const KEY = { keyId: 'key_1', keyLabel: 'Acme ATS (production)' };

/** Records what the library is asked. */
function opened(count = 12) {
  const asked: { readonly dryRun?: boolean }[] = [];
  const start = async (input: { readonly dryRun?: boolean }) => {
    asked.push(input);
    const operation = input.dryRun === true ? null : { id: 'op_1' };
    return { count, isExact: true, asOf: 5, items: [KEY], operation };
  };
  return { asked, operator: { bulk: { start } } as unknown as AnyOperator };
}

const { decide, revoke, resend } = {
  decide: bulkCommands.applications['decide-many'],
  revoke: bulkCommands.access['revoke-many'],
  resend: bulkCommands.deliveries['resend-many'],
};

it('counts and names the first before it asks, and changes nothing without an answer', async () => {
  const { asked, operator } = opened();
  const input = createCommandInput({ company: 'co_1' }, { all: true });
  const { text, isBadNews } = await revoke.run(operator, input);
  expect(text).toContain('Nothing was changed. Found 12 keys: key_1 (Acme ATS (production)), and others.');
  expect(isBadNews).toBe(true);
  expect(asked).toEqual([
    { act: 'access.revoke', companyId: 'co_1', all: true, ids: undefined, dryRun: true },
  ]);
});

it('starts what was counted with --yes, and names the operation', async () => {
  const { asked, operator } = opened();
  const options: OptionValues = { job: 'job_1', since: '2026-01-31', yes: true };
  const { text } = await decide.run(operator, createCommandInput({ decision: 'rejected' }, options));
  expect(text).toBe('The worker changes 12 applications: operations show op_1');
  const since = Date.UTC(2026, 0, 31);
  const input = { act: 'applications.decide', decision: 'rejected', jobId: 'job_1', submittedSince: since };
  expect(asked).toMatchObject([
    { ...input, dryRun: true },
    { ...input, asOf: 5 },
  ]);
});

it('takes chosen endpoints, and only counts with --dry-run', async () => {
  const { asked, operator } = opened(1);
  const options: OptionValues = { key: 'key_1 key_2', only: 'undelivered', 'dry-run': true };
  const { text } = await resend.run(operator, createCommandInput({}, options));
  expect(text).toBe('Found 1 endpoint: key_1 (Acme ATS (production)).');
  expect(asked).toEqual([
    { act: 'deliveries.resend', ids: ['key_1', 'key_2'], only: 'undelivered', dryRun: true },
  ]);
});
