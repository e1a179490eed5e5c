import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideVisibility, findObstacle, type VisibilityFacts } from './access.js';
import type { JobState } from './job.js';

function facts(hasAccess: boolean, state: JobState, internalOnly = false): VisibilityFacts {
  return { hasAccess, job: { state, internalOnly } };
}
const SHOWN = facts(true, 'open');

describe('job visibility to a key', () => {
  test.each([
    ['open, with access', SHOWN, true],
    ['without access', facts(false, 'open'), false],
    ['closed', facts(true, 'closed'), false],
    ['archived', facts(true, 'archived'), false],
    ['internal only', facts(true, 'open', true), false],
  ])('follows the facts: %s', (_, given, expected) => {
    expect(findObstacle(given) === null).toBe(expected);
  });

  test('begins with job.opened when it is new, granted or unarchived', () => {
    expect(decideVisibility(false, SHOWN)).toEqual({ kind: 'opened' });
  });

  test.each([
    ['closed', facts(true, 'closed'), 'closed_by_customer'],
    ['archived', facts(true, 'archived'), 'closed_by_customer'],
    ['access revoked', facts(false, 'open'), 'access_revoked'],
    ['marked internal-only', facts(true, 'open', true), 'internal_sourcing_only'],
    ['revoked, closed and internal at once', facts(false, 'closed', true), 'access_revoked'],
    ['closed and internal at once', facts(true, 'closed', true), 'closed_by_customer'],
  ])('ends with job.closed when it is %s', (_, given, reason) => {
    expect(decideVisibility(true, given)).toEqual({ kind: 'closed', reason });
    expect(decideVisibility(false, given)).toEqual({ kind: 'none' });
  });

  test('causes an update without an event while it lasts', () => {
    expect(decideVisibility(true, SHOWN)).toEqual({ kind: 'updated' });
  });

  test('opened and closed alternate for any changes of the job', () => {
    const happening = fc.record({
      hasAccess: fc.boolean(),
      job: fc.record({ state: fc.constantFrom('open', 'closed', 'archived'), internalOnly: fc.boolean() }),
    });
    fc.assert(
      fc.property(fc.array(happening), (history) => {
        let sees = false;
        const announced: string[] = [];
        for (const current of history) {
          const { kind } = decideVisibility(sees, current);
          sees = findObstacle(current) === null;
          if (kind === 'opened' || kind === 'closed') announced.push(kind);
        }
        expect(announced).toEqual(announced.map((_, index) => (index % 2 === 0 ? 'opened' : 'closed')));
        expect(announced.at(-1) === 'opened').toBe(sees);
      }),
    );
  });
});
