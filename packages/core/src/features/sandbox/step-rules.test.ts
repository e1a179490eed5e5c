import { describe, expect, test } from 'vitest';
import type { ApplicationRecord } from '../../domain/application.js';
import { nextApplicationMove, nextJobMove } from './step-rules.js';

const T0 = 1_000_000;

function application(email: string, changes: Partial<ApplicationRecord> = {}) {
  const candidate = { firstName: 'Ada', lastName: 'L', email, phone: '+14155550123' };
  return { status: 'received', stage: 'initial_outreach', changedAt: T0, candidate, ...changes } as const;
}

describe('an application', () => {
  test.each([
    ['received', 'initial_outreach', { to: 'in_progress', stage: 'video_interview' }],
    ['in_progress', 'video_interview', { to: 'in_progress', stage: 'under_review' }],
    ['in_progress', 'under_review', { to: 'in_progress', stage: 'final_review' }],
    ['in_progress', 'final_review', { to: 'rejected' }],
  ] as const)('that is %s in %s moves on after a second', (status, stage, move) => {
    const next = nextApplicationMove(application('rejected@sandbox.example', { status, stage }));
    expect(next).toEqual({ move, dueAt: T0 + 1_000 });
  });

  test.each([
    ['accepted@sandbox.example', 'accepted', 'hired'],
    ['accepted@sandbox.example', 'rejected', 'closed'],
    ['stuck-in-under-review@sandbox.example', 'in_progress', 'under_review'],
    ['stuck-in-video-interview@sandbox.example', 'in_progress', 'final_review'],
    ['unavailable@sandbox.example', 'received', 'initial_outreach'],
    ['nobody@sandbox.example', 'received', 'initial_outreach'],
    ['accepted@example.com', 'received', 'initial_outreach'],
  ] as const)('of %s that is %s in %s stays there', (email, status, stage) => {
    expect(nextApplicationMove(application(email, { status, stage }))).toBeNull();
  });
});

describe('a job that comes and goes', () => {
  const visible = { isVisible: true, isAway: false, changedAt: T0, submittedAt: [] };

  test('leaves three seconds after the first application since it appeared', () => {
    const submittedAt = [T0 + 900, T0 + 500, T0 - 10];
    expect(nextJobMove({ ...visible, submittedAt })).toEqual({ move: 'leave', dueAt: T0 + 3_500 });
  });

  test('stays without an application since it appeared', () => {
    expect(nextJobMove(visible)).toBeNull();
    expect(nextJobMove({ ...visible, submittedAt: [T0, T0 - 1] })).toBeNull();
  });

  test('returns a minute after it left, even with applications', () => {
    const away = { isVisible: false, isAway: true, changedAt: T0, submittedAt: [T0 - 5, T0 + 5] };
    expect(nextJobMove(away)).toEqual({ move: 'return', dueAt: T0 + 60_000 });
  });

  test('is unchanged if an operator has hidden it for another reason', () => {
    expect(nextJobMove({ ...visible, isVisible: false, submittedAt: [T0 + 5] })).toBeNull();
  });
});
