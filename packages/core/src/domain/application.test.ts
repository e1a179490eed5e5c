import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Stage } from './application.js';
import {
  APPLICATION_STATUSES,
  type ApplicationMove,
  type ApplicationStatus,
  decideMove,
  isTerminal,
  STAGES_OF,
} from './application.js';

const STRICT = { decideFromReceived: false };
const HOST_DECIDES = { decideFromReceived: true };

const MOVES: readonly [ApplicationStatus, ApplicationMove['to'], 'moved' | 'unchanged' | 'illegal'][] = [
  ['received', 'in_progress', 'moved'],
  ['received', 'accepted', 'illegal'],
  ['received', 'rejected', 'illegal'],
  ['in_progress', 'in_progress', 'unchanged'],
  ['in_progress', 'accepted', 'moved'],
  ['in_progress', 'rejected', 'moved'],
  ['accepted', 'in_progress', 'illegal'],
  ['accepted', 'accepted', 'unchanged'],
  ['accepted', 'rejected', 'illegal'],
  ['rejected', 'in_progress', 'illegal'],
  ['rejected', 'accepted', 'illegal'],
  ['rejected', 'rejected', 'unchanged'],
];

function standing(status: ApplicationStatus): { status: ApplicationStatus; stage: Stage } {
  return { status, stage: STAGES_OF[status][0] };
}

describe('the status table', () => {
  test.each(MOVES)('from %s to %s is %s', (from, to, expected) => {
    const decision = decideMove(standing(from), { to }, STRICT);
    expect(decision.kind).toBe(expected);
    if (decision.kind === 'moved') expect(decision).toMatchObject({ status: to, statusChanged: true });
    if (decision.kind === 'illegal') expect(decision.from).toBe(from);
  });

  test.each([
    ['in_progress', 'video_interview'],
    ['accepted', 'hired'],
    ['rejected', 'closed'],
  ] as const)('who becomes %s starts in the stage %s', (to, stage) => {
    const from = to === 'in_progress' ? 'received' : 'in_progress';
    expect(decideMove(standing(from), { to }, STRICT)).toMatchObject({ stage });
  });

  test('only accepted and rejected are terminal', () => {
    expect(APPLICATION_STATUSES.filter(isTerminal)).toEqual(['accepted', 'rejected']);
  });
});

describe('a host that decides from received', () => {
  test.each(['accepted', 'rejected'] as const)('may move from received to %s', (to) => {
    expect(decideMove(standing('received'), { to }, HOST_DECIDES)).toMatchObject({
      kind: 'moved',
      status: to,
      statusChanged: true,
    });
  });

  test.each(MOVES.filter(([from]) => from !== 'received'))(
    'from %s to %s is still %s',
    (from, to, expected) => {
      expect(decideMove(standing(from), { to }, HOST_DECIDES).kind).toBe(expected);
    },
  );
});

describe('stages inside in_progress', () => {
  const stages = STAGES_OF.in_progress;

  test.each(stages.flatMap((from) => stages.map((to) => [from, to] as const)))(
    'from %s to %s is legal and keeps the status',
    (from, stage) => {
      const decision = decideMove(
        { status: 'in_progress', stage: from },
        { to: 'in_progress', stage },
        STRICT,
      );
      expect(decision).toEqual(
        from === stage
          ? { kind: 'unchanged' }
          : { kind: 'moved', status: 'in_progress', stage, statusChanged: false },
      );
    },
  );

  test('evaluation can begin in any of them', () => {
    for (const stage of stages) {
      expect(decideMove(standing('received'), { to: 'in_progress', stage }, STRICT)).toMatchObject({ stage });
    }
  });

  test('a move to in_progress without a stage keeps the stage', () => {
    const application = { status: 'in_progress', stage: 'final_review' } as const;
    expect(decideMove(application, { to: 'in_progress' }, STRICT)).toEqual({ kind: 'unchanged' });
  });

  test.each(['accepted', 'rejected'] as const)('none of them reopens an application that is %s', (status) => {
    for (const stage of stages) {
      expect(decideMove(standing(status), { to: 'in_progress', stage }, HOST_DECIDES).kind).toBe('illegal');
    }
  });
});

test('after any sequence of moves, the stage belongs to the status, and a decision is final', () => {
  const moves: fc.Arbitrary<ApplicationMove> = fc.oneof(
    fc.constantFrom(...STAGES_OF.in_progress).map((stage) => ({ to: 'in_progress', stage }) as const),
    fc.constantFrom('in_progress', 'accepted', 'rejected').map((to) => ({ to }) as const),
  );
  fc.assert(
    fc.property(fc.array(moves), fc.boolean(), (asked, decideFromReceived) => {
      let application = standing('received');
      for (const move of asked) {
        const decision = decideMove(application, move, { decideFromReceived });
        if (decision.kind !== 'moved') continue;
        expect(isTerminal(application.status)).toBe(false);
        expect(decision.statusChanged).toBe(decision.status !== application.status);
        application = decision;
        expect(STAGES_OF[application.status]).toContain(application.stage);
      }
    }),
  );
});
