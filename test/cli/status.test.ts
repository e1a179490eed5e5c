/** Each check of the backlog, shown failing by rows that a broken host would leave. */
import { expect, test } from 'vitest';
import { BACKLOG_CASES } from './doctor-backlog-cases.js';
import { createEmptyStage, fillStage } from './doctor-stage.js';

/** The checks that look at the rows of the library. */
const OF_ROWS = [
  'sealing-key',
  'worker',
  'deliveries',
  'dead-letters',
  'endpoints',
  'alerts',
  'inbox',
  'inbox-parked',
  'operations',
  'jobs-sync',
  'resume-downloads',
  'resume-removals',
  'sweeps',
];

test.each(BACKLOG_CASES)('the doctor finds $name', async ({ sql, expected, says, context }) => {
  const stage = createEmptyStage();
  const filled = await fillStage(stage);
  const statements = sql(filled, Date.now());
  if (statements !== '') await stage.run(statements);
  const results = await stage.check({ skip: 'schema', ...context });

  const isInboxOff = results.get('inbox')?.finding === 'The inbox is off.';
  const bad = OF_ROWS.filter((name) => !(name === 'inbox' && isInboxOff))
    .map((name) => [name, results.get(name)?.state])
    .filter(([, state]) => state !== 'ok');
  expect(Object.fromEntries(bad)).toEqual(expected);
  for (const name of Object.keys(expected)) {
    const result = results.get(name);
    expect(result?.finding).toMatch(name === Object.keys(expected)[0] ? says : /./);
    if (result?.state !== 'skipped') expect(result?.fix).toMatch(/\w{3}/);
  }
});
