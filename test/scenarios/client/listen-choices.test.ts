/** Which events the command `partner-hiring-listen` forwards. */
import { describe, expect, it } from 'vitest';
import { type CursorFile, createCursorFile } from '../../../packages/client/src/listen/cursor-file.js';
import type { PostEnd } from '../../../packages/client/src/listen/post-webhook.js';
import { OK, OWNER, openStage, receiver, run } from './listen-stage.js';
import { withStatus } from './network.js';

describe('--from-now', () => {
  const choices = { isFromNow: true };

  it('forwards what occurs after the answer of the service, and nothing older', async () => {
    const { stage, publish, path } = await openStage();
    for (let count = 0; count < 3; count += 1) await publish();
    const { post, got } = receiver(() => OK);
    const asked: string[] = [];
    const meanwhile: string[] = [];
    stage.intercept((url) => {
      asked.push(new URL(url).search);
      return null;
    });
    const cursor = createCursorFile(path, OWNER);
    const slow: CursorFile = {
      ...cursor,
      write: async (position) => {
        if (position.updatedThrough !== null && meanwhile.length === 0) meanwhile.push(await publish());
        await cursor.write(position);
      },
    };
    const { printed, error } = await run(stage, path, post, { choices, cursor: slow });
    expect([got, error]).toEqual([meanwhile, null]);
    expect(printed[0]).toMatch(/^Events through \S+Z are not forwarded\.$/);
    // One page tells the end of the log, however long it is.
    expect(asked).toEqual([expect.stringContaining('limit=1&'), expect.stringContaining('limit=200&')]);
    const later = await publish();
    await run(stage, path, post);
    expect(got).toEqual([...meanwhile, later]);
  });

  it('is tried again after a failure of the service', async () => {
    const { stage, publish, path } = await openStage();
    const { post, got } = receiver(() => OK);
    const replies = [withStatus(503, '{}', { 'retry-after': '301' })];
    stage.intercept(() => replies.shift() ?? null);
    expect(await run(stage, path, post, { choices })).toMatchObject({ waits: [301_000, 2_000], error: null });
    const job = await publish();
    await run(stage, path, post);
    expect(got).toEqual([job]);
  });

  it('is refused when there is a position, and leaves the position', async () => {
    const { stage, publish, path } = await openStage();
    const { post, got } = receiver(() => OK);
    await run(stage, path, post);
    const job = await publish();
    const { error } = await run(stage, path, post, { choices });
    expect(error).toMatch(/cursor\.json has a position.*Remove --from-now.*or delete the file/);
    await run(stage, path, post);
    expect(got.slice(1)).toEqual([job]);
  });
});

it('forwards only the given types, and moves the position past the others', async () => {
  const { stage, publish, path } = await openStage();
  const job = await publish();
  await stage.fixture.operator.jobs.close({ id: job });
  const { post, got } = receiver(() => OK);
  const { printed } = await run(stage, path, post, { choices: { types: ['job.closed', 'job.other'] } });
  expect(got).toEqual([job]);
  expect(printed).toEqual([expect.stringContaining(' job.closed: 204')]);
  const next = await publish();
  await run(stage, path, post);
  expect(got).toEqual([job, next]);
});

it('skips an event after the given number of refusals, which failed connections are not', async () => {
  const { stage, publish, path } = await openStage();
  await run(stage, path, receiver(() => OK).post);
  const jobs = [await publish(), await publish()];
  const ends: readonly PostEnd[] = [
    { kind: 'answered', status: 500, excerpt: 'no such table' },
    { kind: 'failed', why: 'ECONNREFUSED' },
    { kind: 'answered', status: 400, excerpt: '' },
  ];
  const { got, post } = receiver((_, count) => ends[count - 1] ?? OK);
  const { printed } = await run(stage, path, post, {
    choices: { skipAfter: 2 },
    ends: (ms) => ms === 2_000 && got.length > 3,
  });
  expect(got).toEqual([jobs[0], jobs[0], jobs[0], jobs[1]]);
  expect(printed.map((line) => line.replace(/evt_\w+/, 'evt_x'))).toEqual([
    'at evt_x job.opened: 500 in 0 ms. Trying again in 1 s. Answer: no such table',
    'at evt_x job.opened: ECONNREFUSED in 0 ms. Trying again in 2 s.',
    'at evt_x job.opened: 400 in 0 ms. Skipped after 2 refusals: it is not forwarded again, and the position moves on.',
    'at evt_x job.opened: 204 in 0 ms',
  ]);
});
