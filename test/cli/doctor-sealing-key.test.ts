/** The check of the sealing key, on the signing secrets of a database. */
import { expect, test } from 'vitest';
import type { DoctorContext, FindingState } from '../../packages/cli/src/index.js';
import { createFilledStage, SEALING_KEY } from './doctor-stage.js';

interface KeyCase {
  readonly name: string;
  readonly sql?: string;
  readonly context?: Partial<DoctorContext>;
  readonly expected: FindingState;
  readonly says: RegExp;
}

const CASES: readonly KeyCase[] = [
  {
    name: 'another sealing key',
    context: { secretKey: Buffer.from('another-key-of-exactly-32-bytes!') },
    expected: 'failed',
    says: /does not open the signing secrets of 1 of 1 endpoint/,
  },
  {
    name: 'a sealing key that is no key',
    context: { secretKey: 'short' },
    expected: 'failed',
    says: /not valid/,
  },
  {
    name: 'a signing secret that was changed by hand',
    sql: `update ph_endpoint set secrets = '[{"sealed":"v1.AAAA","createdAt":1,"expiresAt":null}]';`,
    expected: 'failed',
    says: /nothing is sent to them/,
  },
  {
    name: 'a signing secret that an older one of its keys has sealed',
    context: { secretKey: `${'0123456789abcdef'.repeat(4)},${SEALING_KEY}` },
    expected: 'warning',
    says: /^0 signing secrets are sealed with the key [0-9a-f]{8}, 1 with the key [0-9a-f]{8}\.$/,
  },
  {
    name: 'a running worker that does not know the key',
    sql: `insert into ph_worker (id, name, pid, release, started_at, last_seen_at, sealing)
      values ('wrk_1', 'api-7', 4711, '0.1.0', 1, ${Date.now() + 60_000}, '{"keyIds":["0a1b2c3d"],"failingSince":null}');`,
    expected: 'warning',
    says: /^1 running worker does not know the key [0-9a-f]{8}: api-7 \(process 4711\)\.$/,
  },
  {
    name: 'no sealing key',
    context: { secretKey: '' },
    expected: 'warning',
    says: /No sealing key was given/,
  },
  {
    name: 'no endpoint, so no secret to open',
    sql: 'delete from ph_endpoint;',
    expected: 'ok',
    says: /./,
  },
  {
    name: 'no endpoint, and a sealing key that is no key',
    sql: 'delete from ph_endpoint;',
    context: { secretKey: 'short' },
    expected: 'failed',
    says: /not valid/,
  },
  {
    name: 'no endpoint, and no sealing key',
    sql: 'delete from ph_endpoint;',
    context: { secretKey: '' },
    expected: 'skipped',
    says: /No sealing key was given/,
  },
];

test.each(CASES)('the doctor finds $name', async ({ sql, context, expected, says }) => {
  const stage = await createFilledStage();
  if (sql !== undefined) await stage.run(sql);
  const result = (await stage.check({ skip: ['schema'], ...context })).get('sealing-key');
  expect(result?.state).toBe(expected);
  expect(result?.finding).toMatch(says);
  if (result?.state !== 'ok') expect(result?.fix).toMatch(/\w{3}/);
});
