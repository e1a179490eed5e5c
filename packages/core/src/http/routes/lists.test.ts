import { APPLICATION, JOB, KEY } from '@partner-hiring/test-support/client/fake-partner-api';
import { STORY_START } from '@partner-hiring/test-support/clock';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCursor, type ListQuery } from '../../domain/page.js';

const NO_FILTERS = { updatedSince: null, companyId: null, status: null };

async function queryOf(path: string): Promise<ListQuery | undefined> {
  const { send, asked } = createHandlerUnderTest();
  expect((await send('GET', path)).status).toBe(200);
  return asked.queries[0];
}

async function errorsOf(path: string): Promise<string[]> {
  const { send, asked } = createHandlerUnderTest();
  const { status, body } = await send('GET', path);
  expect(status).toBe(422);
  expect(asked.queries).toEqual([]);
  const { error, details } = JSON.parse(body);
  expect(error).toBe('VALIDATION_ERROR');
  return details.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
}

describe('the reply of a list', () => {
  it('GET /jobs: each job with the fields of the contract, null where unset', async () => {
    const { body } = await createHandlerUnderTest().send('GET', '/jobs');
    expect(JSON.parse(body)).toEqual({
      data: [
        {
          id: 'job_1',
          title: 'Warehouse associate',
          company: { id: 'co_1', name: 'Initech' },
          location: { city: 'Reno', state: 'NV', country: 'US' },
          compensation: { type: 'hourly', min: 21.5, max: null, currency: 'USD' },
          schedule: null,
          status: 'open',
          headcount: { total: null, filled: 1 },
          createdAt: '2026-01-05T09:00:00.000Z',
          updatedAt: '2026-01-05T09:00:00.003Z',
          applicationFormSchema: null,
        },
      ],
    });
  });

  it('GET /jobs: questions carry key, label, type, required, and options where they have some', async () => {
    const question = { key: 'shift', label: 'Shift?', type: 'single_select', required: true };
    const options = [{ value: 'day', label: 'Day' }];
    const applicationFormSchema = [question, { ...question, options }];
    const rows = [{ ...JOB, job: { ...JOB.job, applicationFormSchema } }];
    const { send } = createHandlerUnderTest({ listJobs: async () => ({ rows, hasMore: false, head: 1 }) });
    const { body } = await send('GET', '/jobs');
    expect(JSON.parse(body).data[0].applicationFormSchema).toEqual(applicationFormSchema);
  });

  it('GET /applications: each application as in GET /applications/{id}', async () => {
    const { send } = createHandlerUnderTest();
    const list = JSON.parse((await send('GET', '/applications')).body);
    expect(list).toEqual({ data: [JSON.parse((await send('GET', '/applications/ej_app_1')).body)] });
  });

  it('next_cursor is absent on the last page, and leads to the next page otherwise', async () => {
    const { send, asked } = createHandlerUnderTest({
      listApplications: async () => ({ rows: [APPLICATION], hasMore: true, head: STORY_START + 9 }),
    });
    const { body } = await send('GET', '/applications?status=in_progress');
    const { next_cursor: cursor } = JSON.parse(body);
    await send('GET', `/applications?status=in_progress&limit=3&cursor=${cursor}`);
    expect(asked.queries[1]).toMatchObject({ after: APPLICATION.changedAt, limit: 3 });
  });

  it('X-Updated-Through is the head of the feed on the last page (decision 19)', async () => {
    const { headers } = await createHandlerUnderTest().send('GET', '/jobs');
    expect(headers['X-Updated-Through']).toBe('2026-01-05T09:00:00.009Z');
  });

  it('X-Updated-Through is the last row while rows follow (decision 19)', async () => {
    const { send } = createHandlerUnderTest({
      listJobs: async () => ({ rows: [JOB], hasMore: true, head: STORY_START + 9 }),
    });
    expect((await send('GET', '/jobs')).headers['X-Updated-Through']).toBe('2026-01-05T09:00:00.003Z');
  });
});

describe('query parameters (contract 5.4 to 5.7; decision 8)', () => {
  it('have defaults', async () => {
    expect(await queryOf('/jobs')).toEqual({ ...NO_FILTERS, keyId: KEY.id, after: null, limit: 50 });
    expect(await queryOf('/jobs?')).toEqual({ ...NO_FILTERS, keyId: KEY.id, after: null, limit: 50 });
  });

  it('ignores unknown ones, even twice', async () => {
    expect(await queryOf('/jobs?page=2&page=3&=&%')).toMatchObject(NO_FILTERS);
  });

  it.each([
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['9'.repeat(30), 200],
    ['007', 7],
  ])('limit=%s is %d', async (text, limit) => {
    expect((await queryOf(`/jobs?limit=${text}`))?.limit).toBe(limit);
  });

  it.each([
    ['0', 'invalid_value'],
    ['-1', 'invalid_value'],
    ['1.0', 'invalid_type'],
    ['1e2', 'invalid_type'],
    ['+5', 'invalid_type'],
    ['0x10', 'invalid_type'],
    ['%D9%A1', 'invalid_type'],
    ['ten', 'invalid_type'],
  ])('limit=%s gets 422 %s', async (text, code) => {
    expect(await errorsOf(`/applications?limit=${text}`)).toEqual([`limit ${code}`]);
  });

  it.each([
    ['2026-01-05T09:00:00Z', STORY_START],
    ['2026-01-05t09:00:00z', STORY_START],
    ['2026-01-05T09:00:00.5Z', STORY_START + 500],
    ['2026-01-05T09:00:00.123999Z', STORY_START + 123],
    ['2026-01-05T10:30:00%2B01:30', STORY_START],
    ['2026-01-05T10:30:00+01:30', STORY_START],
    ['2026-01-05T08:00:00-01:00', STORY_START],
    ['2026-01-05T10:30:00%2B0130', STORY_START],
    ['2026-01-05T10:30:00.250+0130', STORY_START + 250],
    ['2026-01-05T08:00:00-0100', STORY_START],
    ['2026-01-05T09:00:00%2B0000', STORY_START],
    ['2026-01-05T10:00:00+01', STORY_START],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2026-01-05T09:00Z', STORY_START],
    ['2026-01-05T10:30%2B01:30', STORY_START],
    ['2026-01-05T09:00:00,25Z', STORY_START + 250],
    ['2026-01-05T09:00Z[UTC]', STORY_START],
    ['2026-01-05T10:00:00.5%2B01:00[Europe/Berlin]', STORY_START + 500],
    ['2026-01-05T09:00:00%2B00:00[!Etc/GMT%2B0][u-ca=iso8601]', STORY_START],
  ])('updated_since=%s is read to the millisecond', async (text, instant) => {
    expect((await queryOf(`/jobs?updated_since=${text}`))?.updatedSince).toBe(instant);
  });

  it('updated_since is accepted again as the reply writes it', async () => {
    const parts = fc.record({
      ms: fc.nat(4_000_000_000_000),
      seconds: fc.constantFrom('', ':07', ':59.25', ':30,1234567'),
      zone: fc.constantFrom('Z', 'Z[UTC]', '%2B05:30', '-0330', '+14[Pacific/Kiritimati]'),
    });
    await fc.assert(
      fc.asyncProperty(parts, async ({ ms, seconds, zone }) => {
        const minute = new Date(ms).toISOString().slice(0, 16);
        const read =
          (await queryOf(`/jobs?updated_since=${minute}${seconds}${zone}`))?.updatedSince ?? Number.NaN;
        const again = await queryOf(`/jobs?updated_since=${new Date(read).toISOString()}`);
        expect(again?.updatedSince).toBe(read);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    '2026-01-05',
    '2026-01-05T09:00:00',
    '2026-01-05T09:00',
    '2026-01-05T09:00[Europe/Berlin]',
    '2026-01-05T09:00.5Z',
    '2026-01-05T09Z',
    '2026-01-05T09:00Z[]',
    '2026-01-05T09:00Z[UTC',
    '2026-02-30T09:00:00Z',
    '2026-13-01T09:00:00Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T09:60:00Z',
    '2026-01-05T09:00:00+24:00',
    '2026-01-05T09:00:00+2400',
    '2026-01-05T09:00:00+0060',
    '2026-01-05T09:00:00+000',
    '2026-01-05T09:00:00+0:00',
    '2026-01-05T09:00:00%2B 0000',
    '2026-01-05T09:00:00 ',
    '2026-01-05 09:00:00Z',
    '1767603600000',
    'yesterday',
  ])('updated_since=%s gets 422 invalid_format', async (text) => {
    expect(await errorsOf(`/jobs?updated_since=${text}`)).toEqual(['updated_since invalid_format']);
  });

  it('company_id accepts any text', async () => {
    expect((await queryOf('/jobs?company_id=co_1'))?.companyId).toBe('co_1');
    expect((await queryOf('/jobs?company_id=nobody'))?.companyId).toBe('nobody');
    expect(await errorsOf('/jobs?company_id=co_%00')).toEqual(['company_id invalid_format']);
  });

  it.each(['received', 'in_progress', 'accepted', 'rejected'])(
    'GET /applications?status=%s',
    async (status) => {
      expect((await queryOf(`/applications?status=${status}`))?.status).toBe(status);
    },
  );

  it('GET /jobs accepts only the status open', async () => {
    expect((await queryOf('/jobs?status=open'))?.status).toBe('open');
    expect(await errorsOf('/jobs?status=received')).toEqual(['status invalid_value']);
    expect(await errorsOf('/applications?status=open')).toEqual(['status invalid_value']);
  });

  it.each(['updated_since', 'cursor', 'limit', 'company_id', 'status'])(
    '%s without a value counts as absent (decision 8)',
    async (name) => {
      const absent = await queryOf('/jobs');
      for (const query of [`${name}=`, name]) expect(await queryOf(`/jobs?${query}`)).toEqual(absent);
    },
  );

  it.each(['updated_since', 'cursor', 'limit', 'company_id', 'status'])(
    '%s given twice gets 422',
    async (name) => {
      const twice = { updated_since: '2026-01-05T09:00:00Z', limit: '5', status: 'open' }[name] ?? 'x';
      expect(await errorsOf(`/jobs?${name}=${twice}&${name}=${twice}`)).toEqual([`${name} invalid_value`]);
    },
  );

  it('reports all errors at once', async () => {
    expect(await errorsOf('/jobs?updated_since=x&status=x&limit=x&company_id=%00')).toEqual([
      'updated_since invalid_format',
      'company_id invalid_format',
      'status invalid_value',
      'limit invalid_type',
    ]);
  });
});

describe('cursors (decision 18)', () => {
  const cursor = encodeCursor('jobs', { ...NO_FILTERS, keyId: KEY.id }, 42);

  it('continue after their row', async () => {
    expect((await queryOf(`/jobs?cursor=${cursor}`))?.after).toBe(42);
  });

  it.each([
    ['of another list', `/applications?cursor=${cursor}`],
    ['with another filter', `/jobs?company_id=co_1&cursor=${cursor}`],
    ['of another key', `/jobs?cursor=${encodeCursor('jobs', { ...NO_FILTERS, keyId: 'key_2' }, 42)}`],
    ['cut off', `/jobs?cursor=${cursor.slice(0, -2)}`],
    ['made up', '/jobs?cursor=abc'],
    ['broken in its encoding', '/jobs?cursor=%E0%A4%A'],
  ])('%s gets 422 invalid_cursor', async (_, path) => {
    expect(await errorsOf(path)).toEqual(['cursor invalid_cursor']);
  });
});
