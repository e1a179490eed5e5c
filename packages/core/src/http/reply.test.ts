import { expect, it } from 'vitest';
import { type Bucket, spentRateState } from '../domain/rate-limit.js';
import { buildErrorReply } from './reply.js';

const NOW = Date.parse('2026-01-05T09:00:20.000Z');
const BUCKET: Bucket = { id: 'bucket', limit: 10, scope: { kind: 'partner' } };
const RATE = spentRateState(BUCKET, NOW);

function reportOf(count: number): { readonly details: { readonly errors: readonly unknown[] } } {
  const errors = Array.from({ length: count }, (_, index) => ({
    field: `applicationFormAnswers.${index}`,
    code: 'unknown_field' as const,
    message: 'The job asks no question with this key.',
  }));
  return JSON.parse(buildErrorReply({ code: 'VALIDATION_ERROR', details: { errors } }, RATE).body);
}

it('reports at most one hundred field errors', () => {
  expect(reportOf(100).details.errors).toHaveLength(100);
  expect(reportOf(101)).toEqual(reportOf(100));
});

it('names a company in a 429 only if its own limit was reached', () => {
  const limited = (scope: Bucket['scope']) =>
    JSON.parse(buildErrorReply({ code: 'RATE_LIMITED' }, spentRateState({ ...BUCKET, scope }, NOW)).body);
  expect(limited({ kind: 'partner' })).toStrictEqual({
    error: 'RATE_LIMITED',
    message: expect.any(String),
    scope: 'partner',
    retryAfter: 40,
  });
  expect(limited({ kind: 'partner_company', companyId: 'co_1' })).toMatchObject({ companyId: 'co_1' });
});
