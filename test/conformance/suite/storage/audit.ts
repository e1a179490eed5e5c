import type { AuditEntry, NewAuditEntry } from '@partner-hiring/core/ports';
import { describe, expect, it } from 'vitest';
import type { AuditSelection } from '../../../../packages/core/src/ports/repositories/audit.js';
import { KEY_ID, T0 } from './samples.js';
import { type OpenStorage, useStorage } from './storage-under-test.js';

const ALL: AuditSelection = { by: 'all' };

function sampleEntry(number: number, changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    id: `aud_${number}`,
    at: T0 + number,
    actor: { id: 'host', name: null, reason: null, door: 'library' as const },
    act: 'jobs.close',
    allObjects: [{ kind: 'job', id: `job_${number}` }],
    keyId: null,
    count: null,
    filter: null,
    before: null,
    after: null,
    ...changes,
  };
}

function jobs(count: number): NewAuditEntry['allObjects'] {
  return Array.from({ length: count }, (_, index) => ({ kind: 'job', id: `job_many_${index}` }));
}

function idsOf(entries: readonly AuditEntry[]): readonly string[] {
  return entries.map(({ id }) => id);
}

export function describeAudit<HostTx>(open: OpenStorage<HostTx>): void {
  describe('the audit', () => {
    const opened = useStorage(open);
    const list = (selection: AuditSelection, rest: { since?: number; until?: number; limit?: number } = {}) =>
      opened.direct.audit.list({ selection, since: 0, until: null, after: null, limit: 9, ...rest });

    it('stores each field', async () => {
      const full = sampleEntry(1, {
        actor: { id: 'user_é', name: 'Zoë "Z"', reason: 'ticket\u2028815', door: 'library' as const },
        act: 'applications.decide',
        allObjects: [
          { kind: 'application', id: 'ej_app_1' },
          { kind: 'job', id: 'job_1' },
        ],
        keyId: KEY_ID,
        count: 3,
        filter: { companyId: 'co_1', changedBefore: null },
        before: { status: 'in_progress', stage: 'final_review' },
        after: { status: 'accepted', nested: { list: [1, 'é'] } },
      });
      await opened.direct.audit.add([full, sampleEntry(2)]);
      const { allObjects: objects, ...entry } = full;
      const { allObjects: others, ...other } = sampleEntry(2);
      expect(await list(ALL)).toEqual([
        { ...other, objects: others },
        { ...entry, objects },
      ]);
    });

    it('lists the newest first, in pages, also within one millisecond', async () => {
      const { audit } = opened.direct;
      await audit.add([3, 1, 2, 4].map((number) => sampleEntry(number)));
      await audit.add([sampleEntry(5, { at: T0 + 4 })]);
      expect(idsOf(await list(ALL))).toEqual(['aud_5', 'aud_4', 'aud_3', 'aud_2', 'aud_1']);
      const after = { at: T0 + 4, id: 'aud_5' } as const;
      const page = { selection: ALL, since: T0 + 2, until: null, after, limit: 2 };
      expect(idsOf(await audit.list(page))).toEqual(['aud_4', 'aud_3']);
      expect(idsOf(await audit.list({ ...page, limit: 9 }))).toEqual(['aud_4', 'aud_3', 'aud_2']);
      expect(idsOf(await list(ALL, { since: T0 + 2, until: T0 + 4 }))).toEqual(['aud_3', 'aud_2']);
    });

    it('finds an entry by its actor, its act and each of its objects', async () => {
      const ada = { id: 'ada', name: null, reason: null, door: 'library' as const };
      const many = sampleEntry(1, { actor: ada, act: 'jobs.archive', allObjects: jobs(50), count: 50 });
      await opened.direct.audit.add([many, sampleEntry(2, { actor: ada }), sampleEntry(3)]);
      expect(idsOf(await list({ by: 'actor', actorId: 'ada' }))).toEqual(['aud_2', 'aud_1']);
      expect(idsOf(await list({ by: 'actor', actorId: 'ad' }))).toEqual([]);
      expect(idsOf(await list({ by: 'act', act: 'jobs.close' }))).toEqual(['aud_3', 'aud_2']);
      expect(idsOf(await list({ by: 'object', object: { kind: 'job', id: 'job_3' } }))).toEqual(['aud_3']);
      expect(await list({ by: 'object', object: { kind: 'company', id: 'job_3' } })).toEqual([]);
      for (const object of many.allObjects) {
        const [found, ...others] = await list({ by: 'object', object });
        expect(others).toEqual([]);
        // The first 20 are named.
        expect(found).toMatchObject({ id: 'aud_1', count: 50, objects: jobs(20) });
      }
      expect(idsOf(await list({ by: 'actor', actorId: 'ada' }, { until: T0 + 2 }))).toEqual(['aud_1']);
      expect(idsOf(await list({ by: 'act', act: 'jobs.close' }, { since: T0 + 3 }))).toEqual(['aud_3']);
    });

    it('grows an entry: it keeps its place, counts all rows, and is found by each object', async () => {
      const { audit } = opened.direct;
      const start = sampleEntry(1, { allObjects: [{ kind: 'operation', id: 'op_1' }], filter: { jobs: 40 } });
      const [before, ...steps] = [0, 25, 40].map((end) => jobs(end));
      await audit.grow(start);
      await audit.add([sampleEntry(2)]);
      for (const [index, allJobs] of steps.entries()) {
        const added = allJobs.slice(index === 0 ? before?.length : 25);
        const allObjects = [...start.allObjects, ...added];
        const after = { step: index };
        await audit.grow({ ...start, at: T0 + 5 + index, allObjects, count: added.length, after });
      }
      const [, grown] = await list(ALL);
      const objects = [...start.allObjects, ...jobs(19)];
      expect(grown).toMatchObject({ id: 'aud_1', at: T0 + 1, count: 40, objects, after: { step: 1 } });
      expect(await list(ALL)).toHaveLength(2);
      for (const [number, at] of [
        [0, T0 + 5],
        [24, T0 + 5],
        [25, T0 + 6],
        [39, T0 + 6],
      ] as const) {
        const object = { kind: 'job', id: `job_many_${number}` } as const;
        expect(await list({ by: 'object', object })).toEqual([{ ...grown, at }]);
      }
      const first = await audit.listObjects('aud_1', { after: null, limit: 30 });
      const rest = await audit.listObjects('aud_1', { after: first.at(-1)?.number ?? 0, limit: 30 });
      expect([first, rest].map((page) => page.length)).toEqual([30, 11]);
      expect([...first, ...rest].map(({ object }) => object)).toEqual([...start.allObjects, ...jobs(40)]);
      expect([first[0]?.at, first[1]?.at, rest.at(-1)?.at]).toEqual([T0 + 1, T0 + 5, T0 + 6]);
      expect(await audit.find('aud_1')).toEqual(grown);
      expect(await audit.find('aud_none')).toBeNull();
      expect(await audit.listObjects('aud_none', { after: null, limit: 9 })).toEqual([]);
    });

    it('commits entries with the transaction, or not at all', async () => {
      await expect(
        opened.storage.transaction(async (tx) => {
          await tx.audit.add([sampleEntry(1)]);
          throw new Error('Rolled back.');
        }),
      ).rejects.toThrow('Rolled back.');
      expect(await list(ALL)).toEqual([]);
      await opened.storage.transaction((tx) => tx.audit.add([sampleEntry(2)]));
      expect(idsOf(await list(ALL))).toEqual(['aud_2']);
    });

    it('sweeps old entries in bounded steps, the main object of each last', async () => {
      const { audit } = opened.direct;
      await audit.add([sampleEntry(1, { allObjects: jobs(7) }), sampleEntry(2), sampleEntry(3)]);
      expect(await audit.sweep(T0 + 1, 9)).toBe(0);
      expect(await audit.sweep(T0 + 3, 3)).toBe(3);
      const left = { by: 'object', object: { kind: 'job', id: 'job_many_0' } } as const;
      const gone = { by: 'object', object: { kind: 'job', id: 'job_many_6' } } as const;
      expect([idsOf(await list(left)), idsOf(await list(gone))]).toEqual([['aud_1'], []]);
      expect(idsOf(await list(ALL))).toEqual(['aud_3', 'aud_2', 'aud_1']);
      expect(await audit.sweep(T0 + 3, 5)).toBe(5);
      expect(await audit.sweep(T0 + 3, 5)).toBe(0);
      expect(idsOf(await list(ALL))).toEqual(['aud_3']);
    });
  });
}
