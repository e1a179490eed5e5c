import { createOpenApiDocument } from '@partner-hiring/partner-docs';
import { describe, expect, it } from 'vitest';
import { createContract, type Exchange } from './contract.js';

const document = createOpenApiDocument({ basePath: '/partners' });
const contract = createContract(document);

const ALWAYS = {
  'Content-Type': 'application/json',
  'Content-Length': '2',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': 'r-1',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': '1795256160',
};
const APPLICATION = {
  id: 'ej_app_1',
  sourceApplicationId: null,
  jobId: 'job_1',
  status: 'received',
  currentStage: 'Initial Outreach',
  submittedAt: '2026-11-21T10:15:30.123Z',
  lastStatusChangeAt: '2026-11-21T10:15:30.123Z',
};
const READ: Exchange = {
  method: 'GET',
  target: '/partners/applications/ej_app_1?a=b',
  status: 200,
  headers: ALWAYS,
  body: JSON.stringify(APPLICATION),
};
const reading = (application: object): Exchange => ({ ...READ, body: JSON.stringify(application) });
const without = (name: string): Exchange => {
  const { [name]: _, ...headers } = ALWAYS as Readonly<Record<string, string>>;
  return { ...READ, headers };
};
const refused = (code: string, more: object = {}) => JSON.stringify({ error: code, message: 'm', ...more });

describe('accepts a response that the document describes', () => {
  it.each<[string, Exchange]>([
    ['one application', READ],
    ['HEAD: without a body', { ...READ, method: 'HEAD', body: '' }],
    ['at a whole URL', { ...READ, target: 'http://host:1/partners/applications/x#y' }],
    ['an unknown path', { ...READ, target: '/elsewhere', status: 404, body: refused('NOT_FOUND') }],
    ['one of several codes', { ...READ, status: 404, body: refused('APPLICATION_NOT_FOUND') }],
  ])('%s', (_, exchange) => {
    expect(contract.checkResponse(exchange)).toEqual([]);
  });
});

describe('rejects a response that deviates from the document', () => {
  it.each<[string, Exchange, RegExp]>([
    ['a status', { ...READ, status: 204 }, /^204 is not described for readApplication$/],
    [
      'a status of no operation',
      { ...READ, target: '/partners/x' },
      /^200 is not described for an unmatched request$/,
    ],
    ['a method', { ...READ, method: 'DELETE' }, /^200 is not described for an unmatched request$/],
    ['a field too many', reading({ ...APPLICATION, keyId: 'key_1' }), /additional.*keyId/],
    ['a field too few', reading({ ...APPLICATION, status: undefined }), /required property 'status'/],
    ['a type', reading({ ...APPLICATION, sourceApplicationId: 1 }), /sourceApplicationId must be string/],
    ['null where it may not be', reading({ ...APPLICATION, jobId: null }), /jobId must be string/],
    [
      'a date',
      reading({ ...APPLICATION, submittedAt: 'today' }),
      /submittedAt must match format "date-time"/,
    ],
    ['a status of an application', reading({ ...APPLICATION, status: 'lost' }), /one of the allowed values/],
    ['another error’s code', { ...READ, status: 404, body: refused('JOB_NOT_FOUND') }, /\/error must be/],
    ['no JSON', { ...READ, body: 'oops' }, /^the body is no JSON$/],
    ['no content type', without('Content-Type'), /^Content-Type is undefined$/],
    ['a header too few', without('X-Request-Id'), /^header X-Request-Id is missing$/],
    [
      'a header too many',
      { ...READ, headers: { ...ALWAYS, 'X-Powered-By': 'us' } },
      /^header x-powered-by is not described$/,
    ],
    [
      'a header’s value',
      { ...READ, headers: { ...ALWAYS, 'X-RateLimit-Limit': 'many' } },
      /^header X-RateLimit-Limit: the value must be integer/,
    ],
  ])('%s', (_, exchange, problem) => {
    expect(contract.checkResponse(exchange).join('\n')).toMatch(problem);
  });
});

describe('deliveries', () => {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'any',
    'X-Partner-Signature': `t=1795256130,v1=${'0'.repeat(64)}`,
    'X-Partner-Timestamp': '1795256130',
  };
  const event = {
    apiVersion: 'v1',
    createdAt: '2026-11-21T10:15:30.123Z',
    data: { jobId: 'job_1', companyId: 'co_1', title: 'Cook', openedAt: '2026-11-21T10:15:30.123Z' },
    id: 'evt_1',
    type: 'job.opened',
  };
  const check = (changes: object, more: object = {}) =>
    contract
      .checkDelivery({ headers: { ...headers, ...more }, body: JSON.stringify({ ...event, ...changes }) })
      .join('\n');

  it('are accepted as described', () => {
    expect(check({})).toBe('');
  });
  it.each<[string, object, object, RegExp]>([
    ['an unknown type', { type: 'job.paused' }, {}, /no delivery of the type job.paused is described/],
    ['data of another type', { type: 'job.closed' }, {}, /required property 'reason'/],
    ['a field too many', { secret: 1 }, {}, /additional.*secret/],
    [
      'an upper-case signature',
      {},
      { 'X-Partner-Signature': `t=1,v1=${'A'.repeat(64)}` },
      /Signature: .*pattern/,
    ],
    ['a header too many', {}, { Cookie: 'a' }, /header cookie is not described/],
  ])('%s is found', (_, changes, more, problem) => {
    expect(check(changes, more)).toMatch(problem);
  });
});
