import {
  answer,
  endsOf,
  leftAfter,
  openTraffic,
  READ,
  refusal,
  seconds,
  to,
} from '@partner-hiring/test-support/client/traffic-stage';
import { STORY_START } from '@partner-hiring/test-support/clock';
import { describe, expect, test } from 'vitest';

describe('an answer', () => {
  const told = (remaining: number, headers = {}) => ({
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((STORY_START + seconds(30)) / 1_000),
    ...headers,
  });

  test('lets out what its window has left, and the others once it has ended', async () => {
    const { clock, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(201, told(1)));
    const next = [ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(0);
    expect(endsOf(next)).toEqual(['left', 'waits']);
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([0, seconds(30)]);
  });

  test('to a job whose company was learnt meanwhile tells of the company’s bucket, and is under way there no more', async () => {
    const { clock, traffic, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    traffic.learn('job_1', 'co_1');
    first.permit?.returned(answer(201, told(1)));
    const next = [ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(0);
    expect(endsOf(next)).toEqual(['left', 'waits']);
  });

  test.each([
    ['a replay, which is not counted', 201, { 'idempotent-replayed': 'true' }],
    ['a refusal, which may be counted elsewhere', 422, {}],
  ])('that is %s, tells nothing of the bucket', async (_what, status, headers) => {
    const { clock, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(answer(status, told(0, headers)));
    const next = ask(to('job_1'));
    await clock.advance(0);
    expect(next.end).toBe('left');
  });

  test('behind which nobody waits sets no timer, though its window is used up: a process may end', async () => {
    const { clock, ask, timers } = openTraffic();
    const last = ask(READ);
    await clock.advance(0);
    last.permit?.returned(answer(200, told(0)));
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });
});

describe('what is throttled', () => {
  test('opens at its own time, the company that is closed for less before the other', async () => {
    const { clock, ask } = openTraffic();
    const first = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(0);
    for (const [index, retryAfter] of [20, 5].entries()) {
      first[index]?.permit?.returned(
        refusal(retryAfter, { scope: 'partner_company', companyId: `co_${index}` }),
      );
    }
    const next = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(20), seconds(5)]);
  });

  test('is no more than the job that was asked for, where the 429 does not say whose it is', async () => {
    const { clock, ask } = openTraffic();
    const first = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(0);
    first[0]?.permit?.returned(refusal(5, { scope: 'partner_company' }));
    first[1]?.permit?.returned(refusal(20, { scope: 'partner_company' }));
    const next = [ask(to('job_1')), ask(to('job_2'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(5), seconds(20)]);
  });

  test('opens to no more than the limit that the 429 told, and not before its window ends', async () => {
    const { clock, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    const rate = {
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String((STORY_START + seconds(30)) / 1_000),
    };
    first.permit?.returned(refusal(1, { scope: 'partner_company', companyId: 'co_1' }, rate));
    const next = [ask(to('job_1')), ask(to('job_1')), ask(to('job_1'))];
    await clock.advance(seconds(60));
    expect(leftAfter(next)).toEqual([seconds(30), seconds(30), null]);
  });

  test.each([{}, { scope: 'partner' }, { scope: 'address' }])(
    'is everything, where the 429 does not say that it is one company: %j',
    async (whose) => {
      const { clock, ask } = openTraffic();
      const first = ask(to('job_1'));
      await clock.advance(0);
      first.permit?.returned(refusal(5, whose));
      const next = [ask(to('job_2')), ask(READ)];
      await clock.advance(seconds(60));
      expect(leftAfter(next)).toEqual([seconds(5), seconds(5)]);
    },
  );

  test('as a whole opens at its own time, though a bucket’s window ends before', async () => {
    const { clock, ask } = openTraffic();
    const rate = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' };
    const reset = String((STORY_START + seconds(30)) / 1_000);
    const first = [ask(READ), ask(READ)];
    await clock.advance(0);
    first[0]?.permit?.returned(answer(200, { ...rate, 'x-ratelimit-reset': reset }));
    first[1]?.permit?.returned(refusal(45, { scope: 'partner' }));
    const next = ask(READ);
    await clock.advance(seconds(200));
    expect(next.leftAfter).toBe(seconds(45));
  });

  test('is every job of the company, as soon as the 429 says whose the job is', async () => {
    const { clock, traffic, ask } = openTraffic();
    const first = ask(to('job_1'));
    await clock.advance(0);
    first.permit?.returned(refusal(5, { scope: 'partner_company', companyId: 'co_1' }));
    traffic.learn('job_2', 'co_1');
    const next = ask(to('job_2'));
    await clock.advance(seconds(60));
    expect(next.leftAfter).toBe(seconds(5));
  });
});
