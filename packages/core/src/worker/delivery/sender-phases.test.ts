import { readFileSync } from 'node:fs';
import { SAMPLE_ENDPOINT } from '@partner-hiring/test-support/sample-endpoint';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StoredEndpoint } from '../../domain/endpoint.js';
import { WORKER_DEFAULTS } from '../options.js';
import { isDone, mayStart } from './next-step.js';
import { SENDER_PHASES } from './sender-phases.js';
import {
  advance,
  applyStored,
  beginRecord,
  coolDown,
  createSenderState,
  endRecord,
  endRenewal,
} from './sender-state.js';

/** The arrows of the drawing, such as `open close closing`. */
function drawnArrows(): readonly string[] {
  const source = readFileSync(new URL('./sender-phases.ts', import.meta.url), 'utf8');
  return source.split('\n').flatMap((line) => {
    const [first = '', ...arrows] = line.replace(/^ \*\s+/, '').split(' ──');
    let froms = first.split(', ');
    return arrows.flatMap((arrow) => {
      const [step = '', to = ''] = arrow.trim().split(/─+> /);
      const drawn = froms.map((from) => `${from} ${step} ${to}`);
      froms = [to];
      return drawn;
    });
  });
}

const ARROWS = Object.entries(SENDER_PHASES).flatMap(([from, steps]) =>
  Object.entries(steps).map(([step, to]) => `${from} ${step} ${to}`),
);

it('draws the phases of a sender as they are', () => {
  expect(drawnArrows().toSorted()).toEqual(ARROWS.toSorted());
});

const NOW = 1_750_000_000_000;
const PAUSED: StoredEndpoint = {
  ...SAMPLE_ENDPOINT,
  state: { kind: 'paused', reason: 'operator', pausedAt: NOW },
};

function open() {
  const storageClock = { now: () => NOW };
  const rules = { options: WORKER_DEFAULTS, storageClock, mayIdle: () => true, isSliceOver: () => false };
  const leased = { endpoint: SAMPLE_ENDPOINT, watermark: 0 };
  return createSenderState(rules, leased, { token: 'token', askedAt: NOW }, NOW);
}

type Sender = ReturnType<typeof open>;

/** All that happens to a sender, and what it may do to its phase. */
const HAPPENINGS: Readonly<Record<string, (sender: Sender) => void>> = {
  close: (sender) => advance(sender, 'close'),
  cut: (sender) => advance(sender, 'cut'),
  lose: (sender) => advance(sender, 'lose'),
  done: (sender) => advance(sender, 'done'),
  end: (sender) => advance(sender, 'end'),
  coolDown: (sender) => void coolDown(sender, 1_000),
  renewed: (sender) => endRenewal(sender, 'held'),
  busy: (sender) => endRenewal(sender, 'busy'),
  taken: (sender) => endRenewal(sender, 'lost'),
  polled: (sender) => applyStored(sender, SAMPLE_ENDPOINT, NOW),
  paused: (sender) => applyStored(sender, PAUSED, NOW),
  deleted: (sender) => applyStored(sender, null, NOW),
  recorded: (sender) =>
    endRecord(
      sender,
      beginRecord(sender, false),
      { kind: 'settled', endpoint: SAMPLE_ENDPOINT, passed: [] },
      NOW,
    ),
  recordGivenUp: (sender) => endRecord(sender, beginRecord(sender, false), null, NOW),
  recordedByOther: (sender) => endRecord(sender, beginRecord(sender, false), { kind: 'lost' }, NOW),
};

it('takes only the drawn ways, and starts attempts only while it is open', () => {
  const changes = new Set(drawnArrows().map((arrow) => arrow.replace(/ \w+ /, ' ')));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...Object.keys(HAPPENINGS)), { maxLength: 12 }), (names) => {
      const sender = open();
      for (const name of names) {
        const before = sender.phase;
        HAPPENINGS[name]?.(sender);
        const { phase } = sender;
        if (phase !== before) expect(changes).toContain(`${before} ${phase}`);
        expect(mayStart(sender, NOW)).toBe(phase === 'open');
        if (phase !== 'open') expect(isDone(sender, NOW)).toBe(true);
      }
    }),
  );
});
