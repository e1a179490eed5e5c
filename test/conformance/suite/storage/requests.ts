import type { KeyId, RequestReads, RequestRecord } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { RequestListPage } from '../../../../packages/core/src/features/request-log/repository.js';
import { JOB_ID, KEY_ID, OTHER_KEY_ID, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const MINUTE_MS = 60_000;

function sampleRequest(number: number, changes: Partial<RequestRecord> = {}): RequestRecord {
  return {
    requestId: `request-${number}`,
    at: T0 + number,
    keyId: KEY_ID,
    client: null,
    method: 'POST',
    route: '/applications',
    status: 201,
    code: null,
    fields: [],
    durationMs: 12,
    applicationId: `ej_app_${number}`,
    jobId: null,
    isReplay: false,
    count: 1,
    lastAt: T0 + number,
    ...changes,
  };
}

function sampleError(number: number, changes: Partial<RequestRecord> = {}): RequestRecord {
  const error = { status: 422, code: 'VALIDATION_ERROR', fields: ['candidate.email: required'] };
  const own = { applicationId: null, jobId: JOB_ID };
  return sampleRequest(number, { ...error, ...own, ...changes });
}

function sampleReads(minutes: number, changes: Partial<RequestReads> = {}): RequestReads {
  const minute = T0 + minutes * MINUTE_MS;
  return {
    keyId: KEY_ID,
    route: '/jobs',
    minute,
    count: 3,
    lastAt: minute + 5,
    lastRequestId: `read-${minutes}`,
    readRange: null,
    ...changes,
  };
}

const ALL: RequestListPage = {
  scope: null,
  onlyErrors: false,
  from: 0,
  until: null,
  after: null,
  limit: 9,
};

export function describeRequests<HostTx>(open: OpenStorage<HostTx>): void {
  describe('the request log', () => {
    const opened = useStorage(open);

    const idsOf = async (page: Partial<RequestListPage>) =>
      (await opened.direct.requests.list({ ...ALL, ...page })).map(({ requestId }) => requestId);

    it('stores each field, and adds a request once', async () => {
      const { requests } = opened.direct;
      const anonymous = sampleError(2, {
        keyId: null,
        client: 'a1b2',
        route: null,
        method: '_OTHER',
        fields: [],
        status: 401,
        code: 'UNAUTHORIZED',
        count: 7,
        lastAt: T0 + 90,
      });
      const both = [sampleRequest(1, { isReplay: true }), anonymous];
      await requests.add(both);
      expect(await requests.find('request-1')).toEqual(both[0]);
      expect(await requests.find('request-2')).toEqual(anonymous);
      expect(await requests.find('request-none')).toBeNull();
      await requests.add([{ ...anonymous, count: 9, lastAt: T0 + 99 }]);
      expect(await requests.find('request-2')).toEqual({ ...anonymous, count: 9, lastAt: T0 + 99 });
    });

    it('lists the newest first, by key, application, job or code, in pages', async () => {
      const { requests } = opened.direct;
      await requests.add([
        ...[1, 2, 3].map((number) => sampleRequest(number, { applicationId: 'ej_app_1' })),
        sampleError(4, { at: T0 + 3 }),
        sampleError(5, { keyId: OTHER_KEY_ID, applicationId: 'ej_app_1' }),
        sampleError(6, { keyId: null, jobId: null }),
      ]);
      const named = (...numbers: readonly number[]) => numbers.map((number) => `request-${number}`);
      expect(await idsOf({})).toEqual(named(6, 5, 4, 3, 2, 1));
      expect(await idsOf({ onlyErrors: true })).toEqual(named(6, 5, 4));
      expect(await idsOf({ scope: { keyId: KEY_ID } })).toEqual(named(4, 3, 2, 1));
      expect(await idsOf({ scope: { keyId: KEY_ID }, onlyErrors: true })).toEqual(named(4));
      const scope = { applicationId: 'ej_app_1' } as const;
      expect(await idsOf({ scope })).toEqual(named(5, 3, 2, 1));
      expect(await idsOf({ scope, onlyErrors: true })).toEqual(named(5));
      expect(await idsOf({ scope: { jobId: JOB_ID } })).toEqual(named(5, 4));
      expect(await idsOf({ scope: { jobId: JOB_ID }, onlyErrors: true, until: T0 + 5 })).toEqual(named(4));
      expect(await idsOf({ scope: { jobId: 'job_none' } })).toEqual([]);
      const closed = { code: 'JOB_CLOSED' } as const;
      await requests.add([sampleError(0, closed)]);
      expect(await idsOf({ scope: closed })).toEqual(named(0));
      expect(await idsOf({ scope: { code: 'VALIDATION_ERROR' }, onlyErrors: true })).toEqual(named(6, 5, 4));
      const after = { at: T0 + 3, requestId: 'request-4' };
      expect(await idsOf({ after, limit: 2 })).toEqual(named(3, 2));
      expect(await idsOf({ from: T0 + 2, until: T0 + 5 })).toEqual(named(4, 3, 2));
    });

    it('finds the oldest request that succeeded for an application', async () => {
      const { requests } = opened.direct;
      const own = { applicationId: 'ej_app_1' } as const;
      await requests.add([
        sampleRequest(3, { ...own, isReplay: true }),
        sampleRequest(2, own),
        sampleError(1, own),
      ]);
      expect((await requests.findOldest('ej_app_1'))?.requestId).toBe('request-2');
      expect(await requests.findOldest('ej_app_none')).toBeNull();
    });

    it('adds up reads of a minute, and keeps the last one', async () => {
      const { requests } = opened.direct;
      const other: KeyId = OTHER_KEY_ID;
      await requests.addReads([sampleReads(1), sampleReads(1, { route: '/applications' }), sampleReads(2)]);
      await requests.addReads([sampleReads(2, { count: 2, lastAt: T0, lastRequestId: 'earlier' })]);
      const later = { count: 4, lastAt: T0 + 2 * MINUTE_MS + 9, lastRequestId: 'later' };
      await requests.addReads([sampleReads(2, later), sampleReads(3, { keyId: other })]);
      const last = sampleReads(2, { ...later, count: 9 });
      expect(await requests.findLastReads(KEY_ID, '/jobs')).toEqual(last);
      expect(await requests.findLastReads(KEY_ID, '/applications/{id}')).toBeNull();
      const all = [last, sampleReads(1), sampleReads(1, { route: '/applications' })];
      expect(await requests.listReads({ keyId: KEY_ID, after: null, limit: 9 })).toEqual(all);
      const after = { minute: last.minute, route: last.route };
      expect(await requests.listReads({ keyId: KEY_ID, after, limit: 1 })).toEqual(all.slice(1, 2));
    });

    it('joins what the reads of a minute covered, and finds the first that covered a change', async () => {
      const { requests } = opened.direct;
      const read = async (minutes: number, after: number, through: number) =>
        requests.addReads([sampleReads(minutes, { count: 1, readRange: { after, through } })]);
      const covering = async (changedAt: number) => {
        const found = await requests.findCoveringReads(KEY_ID, '/jobs', changedAt);
        return found === null ? null : [(found.minute - T0) / MINUTE_MS, found.readRange];
      };
      await requests.addReads([sampleReads(1)]);
      expect(await covering(T0 + 5)).toBeNull();
      await read(1, T0 - 1, T0 + 10);
      await read(1, T0 + 10, T0 + 20);
      await read(1, T0 + 15, T0 + 18);
      await requests.addReads([sampleReads(1)]);
      const joined = { after: T0 - 1, through: T0 + 20 };
      expect(await covering(T0)).toEqual([1, joined]);
      expect(await covering(T0 + 20)).toEqual([1, joined]);
      expect(await covering(T0 + 21)).toBeNull();
      // Behind a gap, the later range counts.
      await read(2, T0 + 15, T0 + 20);
      await read(2, T0 + 40, T0 + 50);
      await read(2, T0 + 25, T0 + 30);
      expect(await covering(T0 + 18)).toEqual([1, joined]);
      expect(await covering(T0 + 28)).toBeNull();
      expect(await covering(T0 + 41)).toEqual([2, { after: T0 + 40, through: T0 + 50 }]);
      expect(await covering(T0 + 40)).toBeNull();
      expect(await requests.findCoveringReads(OTHER_KEY_ID, '/jobs', T0 + 5)).toBeNull();
      expect(await requests.findCoveringReads(KEY_ID, '/applications', T0 + 5)).toBeNull();
    });

    it('sweeps errors, other requests and reads before a time, in bounded steps', async () => {
      const { requests } = opened.direct;
      await requests.add(
        [1, 2, 3].flatMap((number) => [sampleRequest(number), sampleError(number + 10, { at: T0 + number })]),
      );
      expect(await requests.sweep(T0 + 1, 9)).toBe(0);
      expect(await requests.sweep(T0 + 3, 1)).toBe(2);
      expect(await requests.sweep(T0 + 3, 9)).toBe(2);
      expect(await idsOf({})).toEqual(['request-3', 'request-13']);
      await requests.addReads([1, 2, 3].map((minutes) => sampleReads(minutes)));
      // A minute is over one minute after its start.
      expect(await requests.sweepReads(T0 + 2 * MINUTE_MS, 9)).toBe(0);
      expect(await requests.sweepReads(T0 + 4 * MINUTE_MS, 1)).toBe(1);
      expect(await requests.sweepReads(T0 + 4 * MINUTE_MS, 9)).toBe(1);
      const left = await requests.listReads({ keyId: KEY_ID, after: null, limit: 9 });
      expect(left.map(({ minute }) => minute)).toEqual([T0 + 3 * MINUTE_MS]);
    });
  });
}
