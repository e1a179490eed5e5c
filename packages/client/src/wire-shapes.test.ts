import { application, clientOf, job, reply } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import { PartnerConnectionError } from './index.js';

/** Reads the first page of a list that has these rows. */
async function failureOf(kind: 'jobs' | 'applications', rows: readonly unknown[]): Promise<unknown> {
  const client = clientOf(async () => reply(200, { data: rows }, { 'x-request-id': 'r-1' }), {
    maxAttempts: 2,
  });
  try {
    for await (const _ of client[kind].list());
    return null;
  } catch (error) {
    return error;
  }
}

const without = (row: object, field: string) => ({ ...row, [field]: undefined });

describe('a malformed row', () => {
  test.each<[string, 'jobs' | 'applications', readonly unknown[], string]>([
    ['null', 'jobs', [job('job_1'), null], 'row 2 must be an object, but is null'],
    ['a list', 'jobs', [[]], 'row 1 must be an object, but is a list'],
    [
      'a job without an id',
      'jobs',
      [without(job('job_1'), 'id')],
      'id of row 1 must be text, but is missing',
    ],
    [
      'a job without a company',
      'jobs',
      [{ ...job('job_1'), company: null }],
      'company of row 1 must be an object, but is null',
    ],
    [
      'a job whose pay is text',
      'jobs',
      [{ ...job('job_1'), compensation: { ...job('job_1').compensation, min: '18' } }],
      'compensation.min of row 1 must be a number or null, but is text',
    ],
    [
      'a job with a broken form',
      'jobs',
      [{ ...job('job_1'), applicationFormSchema: [{ key: 'a', label: 'A', type: 'url', required: 'yes' }] }],
      'applicationFormSchema[0].required of row 1 must be true or false, but is text',
    ],
    [
      'an application whose status is a number',
      'applications',
      [{ ...application('ej_app_1'), status: 7 }],
      'status of row 1 must be text, but is a number',
    ],
    [
      'an application of no job',
      'applications',
      [without(application('ej_app_1'), 'jobId')],
      'jobId of row 1 must be text, but is missing',
    ],
  ])('is a typed error that says what is wrong: %s', async (_what, kind, rows, problem) => {
    const error = await failureOf(kind, rows);
    expect(error).toBeInstanceOf(PartnerConnectionError);
    expect(error).toMatchObject({ reason: 'invalid_answer', requestId: 'r-1' });
    expect(String(error)).toContain(`${problem}.`);
    expect(String(error)).toContain('(request r-1)');
  });

  test('does not repeat the values of the row', async () => {
    const error = await failureOf('applications', [
      { ...application('ej_app_1'), id: { email: 'ada@example.org' } },
    ]);
    expect(String(error)).toContain('id of row 1 must be text, but is an object.');
    expect(String(error)).not.toContain('ada');
  });
});

test('unknown fields, values of enums and question types are accepted, because v1 grows', async () => {
  const form = [{ key: 'a', label: 'A', type: 'color', required: false, hint: 'new' }];
  const rows = [{ ...job('job_1'), status: 'soon', perks: ['new'], applicationFormSchema: form }];
  expect(await failureOf('jobs', rows)).toBeNull();
  expect(
    await failureOf('applications', [{ ...application('ej_app_1'), status: 'held', more: 1 }]),
  ).toBeNull();
});

test.each([
  [
    'a cursor that is no text',
    { data: [], next_cursor: 7 },
    'next_cursor must be text or null, but is a number.',
  ],
  ['no list', { data: {} }, 'data must be a list, but is an object.'],
  ['no object', [], 'the body must be an object, but is a list.'],
])('a page with %s is a typed error too', async (_what, body, problem) => {
  const client = clientOf(async () => reply(200, body, { 'x-request-id': 'r-1' }), { maxAttempts: 1 });
  const reading = (async () => {
    for await (const _ of client.jobs.list());
  })();
  await expect(reading).rejects.toMatchObject({ reason: 'invalid_answer', requestId: 'r-1' });
  await expect(reading).rejects.toThrow(problem);
});

test('an application that is malformed is a typed error too', async () => {
  const client = clientOf(async () => reply(200, { ...application('ej_app_1'), jobId: null }), {
    maxAttempts: 1,
  });
  await expect(client.applications.get('ej_app_1')).rejects.toThrow('jobId must be text, but is null.');
});
