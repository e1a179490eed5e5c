import { describe, expect, it } from 'vitest';
import type { RequestFilter } from './find-request.js';
import { listRequests, MOST_SCANNED } from './list-requests.js';
import type { RequestListPage } from './repository.js';
import type { RequestRecord } from './rules.js';

/** A log of refused requests, newest first. Every request failed by `source`, one of them by `candidate.email` too. */
function openLog(size: number, match: number) {
  const rows = Array.from({ length: size }, (_, index): Partial<RequestRecord> => {
    const at = size - index;
    const fields = ['source: too_long', ...(at === match ? ['candidate.email: invalid_format'] : [])];
    return { at, requestId: `r${at}`, keyId: null, jobId: null, fields };
  });
  const reads: number[] = [];
  const list = async ({ after, limit }: RequestListPage) => {
    const from = after === null ? 0 : rows.findIndex(({ requestId }) => requestId === after.requestId) + 1;
    const found = rows.slice(from, from + limit);
    reads.push(found.length);
    return found;
  };
  const read = { requests: { list }, names: { ofKeys: async () => [] } } as never;
  return { reads, list: (filter: RequestFilter) => listRequests(read, filter) };
}

describe('a list by the field that failed', () => {
  const filter = { field: 'candidate.email', fieldCode: 'invalid_format' } as const;

  it('reads a bounded part of the log for each page, and goes on behind it', async () => {
    const log = openLog(2 * MOST_SCANNED, 10);
    const first = await log.list(filter);
    expect(first.items).toEqual([]);
    expect(log.reads.reduce((sum, count) => sum + count)).toBe(MOST_SCANNED);
    const second = await log.list({ ...filter, cursor: first.nextCursor ?? '' });
    expect(second.items.map(({ requestId }) => requestId)).toEqual(['r10']);
    const last = await log.list({ ...filter, cursor: second.nextCursor ?? '' });
    expect(last).toEqual({ items: [], nextCursor: null });
  });

  it('ends with the log, and with a full page', async () => {
    expect((await openLog(1_500, 1_400).list(filter)).nextCursor).toBeNull();
    const log = openLog(1_500, 1_400);
    const page = await log.list({ field: 'source', limit: 7 });
    expect(page.items).toHaveLength(7);
    expect(log.reads).toEqual([1_000]);
  });

  it('takes the code only from the field', async () => {
    const log = openLog(10, 4);
    const of = async (asked: RequestFilter) => (await log.list(asked)).items.length;
    expect(await of({ field: 'candidate.email', fieldCode: 'too_long' })).toBe(0);
    expect(await of({ fieldCode: 'invalid_format' })).toBe(1);
  });
});

describe('a list by status and code', () => {
  const rows = [
    ['JOB_CLOSED', 409, 'key_1'],
    ['DUPLICATE_SOURCE_APPLICATION_ID', 409, 'key_2'],
    ['VALIDATION_ERROR', 422, 'key_1'],
    [null, 201, 'key_1'],
    [null, 200, 'key_1'],
  ].map(([code, status, keyId], index) => {
    const none = { jobId: index === 0 ? 'job_1' : null, fields: [], applicationId: null };
    return { ...none, at: 9 - index, requestId: `r${index}`, code, status, keyId } as never;
  }) as readonly RequestRecord[];

  /** Lists as a storage does, by one range. Returns the numbers of the rows, and the scopes that were read. */
  async function read(filter: RequestFilter) {
    const scopes: unknown[] = [];
    const list = async ({ scope, onlyErrors }: RequestListPage) => {
      scopes.push(scope);
      const [column, value] = Object.entries(scope ?? {})[0] ?? [];
      return rows
        .filter((row) => !onlyErrors || row.code !== null)
        .filter((row) => column === undefined || Object(row)[column] === value);
    };
    const names = { ofKeys: async (ids: readonly unknown[]) => ids.map(() => null) };
    const reading = { requests: { list }, names, jobs: { find: async () => [] } } as never;
    const { items } = await listRequests(reading, filter);
    return { found: items.map(({ requestId }) => requestId).join(' '), scopes };
  }

  it.each<readonly [RequestFilter, string]>([
    [{ code: 'JOB_CLOSED' }, 'r0'],
    [{ status: 409 }, 'r0 r1'],
    [{ status: 422, code: 'JOB_CLOSED' }, ''],
    [{ status: 201 }, 'r3'],
    [{ status: 418 }, ''],
    [{ keyId: 'key_1', status: 409 }, 'r0'],
    [{ keyId: 'key_1', code: 'VALIDATION_ERROR' }, 'r2'],
    [{ keyId: 'key_2', jobId: 'job_1', code: 'JOB_CLOSED' }, ''],
    [{ jobId: 'job_1', code: 'JOB_CLOSED' }, 'r0'],
    [{ jobId: 'job_1', status: 422 }, ''],
  ])('of %j has %j', async (filter, expected) => {
    expect((await read(filter)).found).toBe(expected);
  });

  it('reads one range for each code of a status, and leaves nothing out of it', async () => {
    expect((await read({ status: 403 })).scopes).toEqual([{ code: 'ACCESS_REVOKED' }]);
    expect((await read({ code: 'JOB_CLOSED' })).scopes).toEqual([{ code: 'JOB_CLOSED' }]);
  });
});
