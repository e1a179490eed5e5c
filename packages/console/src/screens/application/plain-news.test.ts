import { expect, it } from 'vitest';
import { plainNews } from './news-card.js';

const NEWS = { changedAt: 1, knownSince: null } as const;

it('leaves out sentences about commands, because the page has buttons', () => {
  const text =
    'All 10 attempts failed. The last attempt failed at 2026-01-05T09:00:00.000Z: status 500. ' +
    'deliveries.redeliver sends the event again. The key last read GET /applications at 2026-01-05T09:00:00.000Z.';
  expect(plainNews({ ...NEWS, state: 'dead', text })).toMatchObject({
    help: 'send',
    tone: 'bad',
    detail:
      'All 10 attempts failed. The last attempt failed at 2026-01-05T09:00:00.000Z: status 500. ' +
      'The key last read GET /applications at 2026-01-05T09:00:00.000Z.',
  });
});

it('offers to resume a paused endpoint, and no help where the partner knows', () => {
  expect(plainNews({ ...NEWS, state: 'paused', text: '' }).help).toBe('resume');
  expect(plainNews({ ...NEWS, state: 'delivered', text: '' }).help).toBeNull();
});
