import type { TimelineEntry } from '@partner-hiring/core';
import { expect, it } from 'vitest';
import { foldEntries } from './fold-entries.js';

const event = (at: number, state: 'delivered' | 'pending' = 'delivered') =>
  ({
    kind: 'event',
    at,
    text: '',
    keyId: 'key_1',
    eventId: `evt_${at}`,
    type: 'job.opened',
    state,
    evidence: null,
  }) as const;

const act = (at: number, name: `${string}.${string}` = 'jobs.close'): TimelineEntry => ({
  kind: 'command',
  at,
  text: '',
  auditEntry: {
    id: `aud_${at}`,
    at,
    actor: { id: 'user_1', name: 'Rosa', reason: null, door: 'library' },
    act: name,
    objects: [],
    objectNames: [],
    keyId: null,
    count: null,
    filter: null,
    before: null,
    after: null,
    partnerId: null,
    partnerName: null,
    keyLabel: null,
  },
});

it('puts acts apart, with the newest first', () => {
  const { acts, events } = foldEntries([event(1), act(2), event(3), act(4, 'jobs.reopen')]);
  expect(acts.map(({ first }) => first.at)).toEqual([4, 2]);
  expect(events.map(({ first }) => first.at)).toEqual([3, 1]);
});

it('folds an import of 300 jobs into its newest entry, and leaves three alike entries as they are', () => {
  const many = Array.from({ length: 300 }, (_, index) => event(index + 10));
  const { events } = foldEntries([event(1, 'pending'), event(2, 'pending'), event(3, 'pending'), ...many]);
  expect(events.map(({ first, others }) => [first.at, others.length])).toEqual([
    [309, 299],
    [3, 0],
    [2, 0],
    [1, 0],
  ]);
});
