import { APPLICATION } from '@partner-hiring/test-support/client/fake-partner-api';
import { describe, expect, it } from 'vitest';
import type { ApplicationRecord } from './application.js';
import { warningsOf } from './application-warnings.js';

const CANDIDATE = { firstName: 'Ada', lastName: 'King', email: 'ada@example.org', phone: '+14155550123' };

function application(changes: Partial<ApplicationRecord> = {}, candidate: object = {}): ApplicationRecord {
  const record = {
    source: null,
    answers: {},
    resumeUrl: null,
    resume: { kind: 'none' },
    erasedAt: null,
  } as const;
  return {
    ...APPLICATION,
    ...record,
    companyId: 'co_1',
    keyId: 'key_1',
    candidate: { ...CANDIDATE, ...candidate },
    ...changes,
  };
}

const codesOf = (candidate: object) =>
  warningsOf(application({}, candidate), []).map(({ code, field }) => `${field} ${code}`);

describe('warnings of an accepted application', () => {
  it.each([
    '+15555555555',
    '+11111111111',
    '+4933333333333',
    '+447777777777',
    '+3538888888888',
    '+77777777777',
  ])('%s repeats one digit', (phone) => {
    expect(codesOf({ phone })).toEqual(['candidate.phone phone_of_one_digit']);
  });

  it.each(['+14155550123', '+493000000000', '+15555555556', '+353188888888', '+525555555551'])(
    '%s does not',
    (phone) => {
      expect(codesOf({ phone })).toEqual([]);
    },
  );

  it.each([
    'https://spam.example',
    'Ada http://x.example/y',
    'www.example.org',
    'Ada visit example.com',
    'EXAMPLE.COM',
    'bit.ly/3abc',
    't.me/ada',
    'hxxps://spam.example',
    'ada (spam.xyz)',
  ])('%j contains a URL', (lastName) => {
    expect(codesOf({ lastName })).toEqual(['candidate.lastName url_in_name']);
    expect(codesOf({ firstName: lastName })).toEqual(['candidate.firstName url_in_name']);
  });

  it.each([
    'St.John',
    'J.R.',
    'Jr.',
    'Dr.Med.',
    'O’Neill',
    'Ana/Anna',
    'von der Leyen',
    'M.Com.',
    'Д.И. Иванов',
    'A.Cohen',
  ])('the name %j does not', (lastName) => {
    expect(codesOf({ lastName })).toEqual([]);
  });

  it('names the earlier applications to the same job, in any spelling of the address and of any key', () => {
    const own = application({ id: 'ej_app_5', submittedAt: 50 }, { email: 'Ada@Example.org' });
    const others = [
      own,
      application({ id: 'ej_app_3', submittedAt: 40, keyId: 'key_2' }, { email: 'ADA@example.org' }),
      application({ id: 'ej_app_2', submittedAt: 30 }),
      application({ id: 'ej_app_6', submittedAt: 60 }),
      application({ id: 'ej_app_1', submittedAt: 10, jobId: 'job_2' }),
      application({ id: 'ej_app_4', submittedAt: 10, erasedAt: 20 }),
      application({ id: 'ej_app_7', submittedAt: 10 }, { email: 'eva@example.org' }),
    ];
    expect(warningsOf(own, others)).toEqual([
      {
        code: 'same_email_for_job',
        field: 'candidate.email',
        message: 'An earlier application to the same job has the same e-mail address.',
        applicationIds: ['ej_app_2', 'ej_app_3'],
      },
    ]);
  });

  it('of two applications of one instant, one is the earlier', () => {
    const [one, two] = [application({ id: 'ej_app_1' }), application({ id: 'ej_app_2' })];
    expect([warningsOf(one, [one, two]).length, warningsOf(two, [one, two]).length]).toEqual([0, 1]);
  });

  it('says nothing of the candidate', () => {
    const doubtful = application({}, { lastName: 'spam.example.com', phone: '+15555555555' });
    const text = JSON.stringify(warningsOf(doubtful, []));
    expect(text).not.toMatch(/spam|5555|ada@/);
  });

  it('searches a long name in linear time, or this test times out', () => {
    for (const piece of ['a', 'a.', 'a-', 'www.', '://', 'é.']) codesOf({ lastName: piece.repeat(50_000) });
  });
});
