/** What `status` says needs a person, shown by rows that a broken host would leave. */
import { expect, test } from 'vitest';
import { createEmptyStage, createFilledStage, type DoctorStage, fillStage } from './doctor-stage.js';
import { type CliRun, runCli } from './run-cli.js';
import { STATUS_CASES } from './status-cases.js';

function run({ database }: DoctorStage, ...words: readonly string[]): Promise<CliRun> {
  const connection =
    database.kind === 'sqlite'
      ? ['--database', database.file]
      : ['--database', database.connectionString, '--schema', database.schema ?? ''];
  return runCli(['status', ...connection, ...words]);
}

interface ShownStatus {
  readonly release: string;
  readonly needs: readonly { readonly name: string; readonly finding: string; readonly fix: string }[];
}

test.each(STATUS_CASES)('status finds $name', async ({ sql, expected, says }) => {
  const stage = createEmptyStage();
  const filled = await fillStage(stage);
  await stage.run(sql(filled, Date.now()));
  const text = await run(stage);
  const json = await run(stage, '--json');

  const { needs } = JSON.parse(json.stdout) as ShownStatus;
  expect(needs.map(({ name }) => name).toSorted()).toEqual([...expected].toSorted());
  expect(text.stdout).toMatch(says);
  for (const { name, fix } of needs) {
    expect(text.stdout).toMatch(new RegExp(`^${name}: \\S`, 'm'));
    expect(text.stdout).toContain(`\n  Fix: ${fix}`);
  }
  expect([text.code, json.code]).toEqual(expected.length === 0 ? [0, 0] : [1, 1]);
});

test('a healthy installation needs nobody', async () => {
  const stage = await createFilledStage();
  const { code, stdout, stderr } = await run(stage);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^Release \d+\.\d+\.\d+ on (?:sqlite|postgres) [\d.]+, with migration \d+\.\n0 workers run\./,
  );
  expect(stdout).toMatch(/^Deliveries: \d+ due, 0 scheduled, 0 paused, 0 dead\.$/m);
  expect(stdout).toMatch(/^Inbox: off\.\n\nNothing needs a person\.$/m);
});

test('status removes what manipulates a terminal from the name of a partner', async () => {
  const stage = await createFilledStage();
  await stage.run("update ph_partner set name = 'Acme\u001b[2J\u202e ATS'");
  await stage.run(`update ph_endpoint set consecutive_failures = 3, first_failure_at = ${Date.now()}`);
  const { stdout } = await run(stage);
  expect(stdout).toContain('Acme [2J  ATS');
  for (const mark of ['\u001b', '\u202e']) expect(stdout).not.toContain(mark);
});
