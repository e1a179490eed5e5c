/** Compares the state diagrams of the pages with the domain, and checks the form of every diagram. */
import { SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import { expect, test } from 'vitest';
import {
  APPLICATION_STATUSES,
  type ApplicationMove,
  decideMove,
  STAGES_OF,
} from '../../packages/core/src/domain/application.js';
import {
  type AttemptOutcome,
  afterAttempt,
  cancel,
  type DeliveryState,
  newDelivery,
  restart,
  type StoredDelivery,
} from '../../packages/core/src/domain/delivery.js';
import {
  endpointAfter,
  FRESH_HEALTH,
  PAUSE_AFTER_DARK_MS,
  PAUSE_AFTER_FAILURES,
} from '../../packages/core/src/domain/endpoint.js';
import type { EventId, KeyId } from '../../packages/core/src/domain/ids.js';
import { MAX_ATTEMPTS } from '../../packages/core/src/domain/retry-schedule.js';
import { type Fence, fencesOf, listPages } from './fences.js';

const DIAGRAMS = listPages()
  .flatMap((page) => fencesOf(page))
  .filter(({ kind }) => kind === 'mermaid');

const START_OR_END = '[*]';
const FORMS = /^(?:flowchart (?:LR|TD|TB)|stateDiagram-v2|sequenceDiagram)$/;
const TRANSITION = /^ {2}(\S+) --> (\S+?)(?:: ([^:;#]+))?$/;

/** A transition of a state diagram. */
interface Transition {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Reads a state diagram. @throws Error for a line that is not a transition. */
function readTransitions({ page, line, text }: Fence): readonly Transition[] {
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((each) => {
      const [, from, to, label = ''] = TRANSITION.exec(each) ?? [];
      if (from === undefined || to === undefined)
        throw new Error(`${page}:${line}: not a transition: "${each}".`);
      return { from, to, label };
    });
}

/** Returns the transitions between states of the diagram whose first state is `initial`. */
function transitionsFrom(initial: string): readonly Transition[] {
  const found = DIAGRAMS.filter(({ text }) => text.startsWith('stateDiagram-v2\n'))
    .map(readTransitions)
    .filter((all) => all.some(({ from, to }) => from === START_OR_END && to === initial));
  expect(found, `state diagrams that start with ${initial}`).toHaveLength(1);
  return (found[0] ?? []).filter(({ from, to }) => ![from, to].includes(START_OR_END));
}

const arrows = (transitions: readonly Pick<Transition, 'from' | 'to'>[]) =>
  [...new Set(transitions.map(({ from, to }) => `${from} --> ${to}`))].sort();

test.each(DIAGRAMS)('$page:$line is a diagram with balanced brackets and quotes', ({ text }) => {
  const [form = '', ...lines] = text.trimEnd().split('\n');
  expect(form).toMatch(FORMS);
  expect(lines.length).toBeGreaterThan(1);
  const count = (pattern: RegExp, line: string) => line.match(pattern)?.length ?? 0;
  for (const line of lines) {
    const brackets = [/\[/g, /\]/g, /\(/g, /\)/g].map((bracket) => count(bracket, line));
    expect([line, brackets[0], brackets[2]]).toEqual([line, brackets[1], brackets[3]]);
    expect([line, count(/"/g, line) % 2]).toEqual([line, 0]);
  }
  const opened = lines.filter((line) => /^\s*(?:subgraph|loop|alt|opt|par)\b/.test(line));
  expect(lines.filter((line) => line.trim() === 'end')).toHaveLength(opened.length);
});

test('the states of an application are those of the domain', () => {
  const moves: readonly ApplicationMove[] = [
    ...STAGES_OF.in_progress.map((stage) => ({ to: 'in_progress', stage }) as const),
    { to: 'accepted' },
    { to: 'rejected' },
  ];
  const legal = APPLICATION_STATUSES.flatMap((from) =>
    moves
      .filter((move) => {
        const application = { status: from, stage: STAGES_OF[from][0] };
        return decideMove(application, move, { decideFromReceived: false }).kind === 'moved';
      })
      .map(({ to }) => ({ from, to })),
  );
  expect(arrows(transitionsFrom('received'))).toEqual(arrows(legal));
});

const OK: AttemptOutcome = { kind: 'answered', status: 204, excerpt: '' };
const FAILED: AttemptOutcome = { kind: 'answered', status: 500, excerpt: '' };
const GONE: AttemptOutcome = { kind: 'answered', status: 410, excerpt: '' };

test('the states of a delivery are those of the domain', () => {
  const end = (outcome: AttemptOutcome) => ({ outcome, endedAt: 1, latencyMs: 1 });
  const pending = newDelivery({ keyId: 'key_1' as KeyId, id: 'evt_1' as EventId, at: 0 }, 0);
  const deliveries: Readonly<Record<DeliveryState, StoredDelivery>> = {
    pending,
    delivered: afterAttempt(pending, end(OK), 0.5),
    dead: afterAttempt({ ...pending, attempts: MAX_ATTEMPTS - 1 }, end(FAILED), 0.5),
    cancelled: cancel(pending),
  };
  const steps: readonly [DeliveryState, StoredDelivery][] = [
    ['pending', afterAttempt(pending, end(FAILED), 0.5)],
    ['pending', deliveries.delivered],
    ['pending', deliveries.dead],
    ['pending', deliveries.cancelled],
    ['dead', cancel(deliveries.dead)],
    ['cancelled', afterAttempt(deliveries.cancelled, end(OK), 0.5)],
    ['delivered', restart(deliveries.delivered, 2)],
    ['dead', restart(deliveries.dead, 2)],
    ['cancelled', restart(deliveries.cancelled, 2)],
  ];
  expect(Object.entries(deliveries).map(([state, delivery]) => [state, delivery.state])).toEqual(
    Object.keys(deliveries).map((state) => [state, state]),
  );
  // A cancelled delivery stays cancelled if the attempt under way fails.
  expect(afterAttempt(deliveries.cancelled, end(FAILED), 0.5).state).toBe('cancelled');
  expect(arrows(transitionsFrom('pending'))).toEqual(
    arrows(steps.map(([from, { state: to }]) => ({ from, to }))),
  );
});

test('the states of an endpoint, and the reasons of a pause, are those of the domain', () => {
  const failing = { ...FRESH_HEALTH, consecutiveFailures: PAUSE_AFTER_FAILURES - 1, firstFailureAt: 1 };
  const dark = { ...FRESH_HEALTH, consecutiveFailures: 1, firstFailureAt: 0 };
  const ended = (outcome: AttemptOutcome, endedAt: number) => ({ outcome, endedAt, latencyMs: 0, random: 0 });
  const paused = [
    endpointAfter(SAMPLE_ENDPOINT, ended(GONE, 1)),
    endpointAfter({ ...SAMPLE_ENDPOINT, health: failing }, ended(FAILED, 2)),
    endpointAfter({ ...SAMPLE_ENDPOINT, health: dark }, ended(FAILED, PAUSE_AFTER_DARK_MS)),
  ];
  const reasons = paused.map(({ state }) => (state.kind === 'paused' ? state.reason : null));
  const transitions = transitionsFrom('active');
  expect(arrows(transitions)).toEqual(['active --> paused', 'paused --> active']);
  expect(
    transitions
      .filter(({ to }) => to === 'paused')
      .map(({ label }) => label.split(',')[0])
      .sort(),
  ).toEqual([...reasons, 'operator'].sort());
});
