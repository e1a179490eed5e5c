/** The command line warns before it closes a job that a source keeps in step. */
import { runCommandLine } from '@partner-hiring/cli';
import { expect, test } from 'vitest';
import { openServer } from './open-server.js';

const JOB = {
  title: 'Cook',
  location: { city: 'Reno', state: 'NV', country: 'US' },
  compensation: { currency: 'USD' },
};
const COMPANY = { id: 'co_bistro', name: 'Bistro' } as const;

/** A server with two jobs that a source keeps, and one that it does not. */
async function openKept() {
  const { partnerHiring } = await openServer();
  const { operator } = partnerHiring;
  await operator.jobs.syncs.run(
    (['job_kept', 'job_other'] as const).map((id) => ({ ...JOB, id, company: COMPANY })),
  );
  await operator.jobs.publish({ ...JOB, id: 'job_own', companyId: COMPANY.id });
  /** Runs a command line for a person who answers all questions so. Null is nobody. */
  const run = async (line: string, answer: boolean | null = null) => {
    const printed = { out: [] as string[], error: [] as string[], asked: [] as string[] };
    const code = await runCommandLine({
      argv: line.split(' '),
      ask: async (question) => {
        printed.asked.push(question);
        return answer;
      },
      open: async () => ({ operator: operator as never, close: async () => {} }),
      output: { out: (text) => void printed.out.push(text), error: (text) => void printed.error.push(text) },
    });
    return { code, ...printed };
  };
  const stateOf = async (id: 'job_kept' | 'job_own') => (await operator.jobs.find({ id }))?.state;
  return { operator, run, stateOf };
}

const WARNING =
  /^(?:Warning: )?A source keeps job_(?:kept|other) \(Cook\) in step\. If the source still has it, the next sync opens it again: close it in the source\./;

test.each([
  ['jobs close job_kept', 'Close it anyway?', 'The job was not closed.'],
  ['jobs archive job_kept', 'Archive it anyway?', 'The job was not archived.'],
  [`jobs close-all ${COMPANY.id}`, 'Close all jobs of the company anyway?', 'No job was closed.'],
])('%s asks first, and changes nothing without a yes', async (line, question, refusal) => {
  const { operator, run, stateOf } = await openKept();
  const no = await run(line, false);
  expect(no).toMatchObject({ code: 1, error: [] });
  expect(no.out[0]?.startsWith(`${refusal} A source keeps `)).toBe(true);
  expect(no.asked).toEqual([expect.stringMatching(WARNING)]);
  expect(no.asked[0]).toMatch(new RegExp(`\\n${question.replace('?', '\\?')}$`));
  const nobody = await run(line);
  expect(nobody.code).toBe(1);
  expect(nobody.out[0]).toMatch(/ A source keeps .* Nobody can answer here: .* add --yes\.$/);
  expect(await stateOf('job_kept')).toBe('open');
  expect((await operator.operations.list({ state: 'running' })).items).toEqual([]);

  expect(await run(line, true)).toMatchObject({ code: 0, error: [] });
  expect(await run(line, true)).toMatchObject({ asked: line.includes('all') ? [expect.any(String)] : [] });
});

test('with --yes, the warning is printed to standard error, and JSON stays JSON', async () => {
  const { run, stateOf } = await openKept();
  const closed = await run('jobs close job_kept --yes --json');
  expect(closed).toMatchObject({ code: 0, asked: [], error: [expect.stringMatching(WARNING)] });
  expect(JSON.parse(closed.out.join('\n'))).toMatchObject({ changed: true, job: { state: 'closed' } });
  expect(await stateOf('job_kept')).toBe('closed');
});

test('a job that no source keeps, or that is closed already, is closed without a question', async () => {
  const { run, stateOf } = await openKept();
  expect(await run('jobs close job_own')).toMatchObject({ code: 0, asked: [], error: [] });
  expect(await stateOf('job_own')).toBe('closed');
  await run('jobs close job_kept', true);
  expect(await run('jobs archive job_kept')).toMatchObject({ code: 0, asked: [], error: [] });
  expect(await stateOf('job_kept')).toBe('archived');
  expect(await run('jobs close job_none')).toMatchObject({ code: 1, asked: [] });
});
