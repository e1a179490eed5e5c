import type { ListedAuditEntry, Timeline } from '@partner-hiring/core';
import { expect, it } from 'vitest';
import { narrowAudit, narrowTimeline } from './narrow.js';

const OWN = { kind: 'application', id: 'ej_app_own' } as const;
const FOREIGN = { kind: 'application', id: 'ej_app_foreign' } as const;

const ENTRY: ListedAuditEntry = {
  id: 'aud_1',
  at: 1,
  actor: { id: 'user_1', name: 'Robin', reason: null },
  act: 'candidates.eraseMany',
  objects: [FOREIGN, OWN],
  keyId: null,
  count: 40,
  filter: { companyId: 'co_1' },
  before: null,
  after: { erased: true },
  partnerId: null,
  partnerName: null,
  keyLabel: null,
};

const NARROWED = { ...ENTRY, objects: [OWN], count: null, filter: null, before: null, after: null };

it('leaves only the own objects in an act on the objects of several keys', () => {
  const page = narrowAudit({ items: [ENTRY], nextCursor: null }, [OWN]);
  expect(page.items).toEqual([NARROWED]);
});

it('leaves an act on one key as it is', () => {
  const entry = { ...ENTRY, keyId: 'key_1' } as const;
  expect(narrowAudit({ items: [entry], nextCursor: null }, [OWN]).items).toEqual([entry]);
});

it('says in a timeline only who did what', () => {
  const timeline: Timeline = {
    entries: [{ kind: 'act', at: 1, act: ENTRY, text: 'Robin erased ej_app_foreign, 40 in all.' }],
    completeFrom: null,
  };
  expect(narrowTimeline(timeline, [OWN]).entries).toEqual([
    { kind: 'act', at: 1, act: NARROWED, text: 'Robin called candidates.eraseMany.' },
  ]);
});
