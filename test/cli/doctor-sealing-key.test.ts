/** The check of the sealing key, on the signing secrets of a database. */
import { expect, test } from 'vitest';
import type { DoctorContext, FindingState } from '../../packages/cli/src/index.js';
import { createEmptyStage, fillStage } from './doctor-stage.js';

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
  const stage = createEmptyStage();
  await fillStage(stage);
  if (sql !== undefined) await stage.run(sql);
  const result = (await stage.check({ skip: ['schema'], ...context })).get('sealing-key');
  expect(result?.state).toBe(expected);
  expect(result?.finding).toMatch(says);
  if (result?.state !== 'ok') expect(result?.fix).toMatch(/\w{3}/);
});
