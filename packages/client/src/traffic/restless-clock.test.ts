import { clientOf, reply } from '@partner-hiring/test-support/client/scripted-client';
import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';

const [LIMIT, WINDOW_MS, REQUESTS] = [5, 60_000, 23];
const APPLICATION = { id: 'ej_app_1', jobId: 'job_1' };
/** Several times what these requests take. */
const MAX_LOOKS = 2_000;

/** A service with a limit a minute, which fails now and then. */
function createService(clock: { now(): number }) {
  let [window, used, failures, refused] = [0, 0, 0, 0];

  function answer() {
    const now = clock.now();
    const current = now - (now % WINDOW_MS);
    used = current === window ? used + 1 : 1;
    window = current;
    const headers = {
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(Math.max(0, LIMIT - used)),
      'x-ratelimit-reset': String((window + WINDOW_MS) / 1_000),
      'retry-after': String(Math.ceil((window + WINDOW_MS - now) / 1_000)),
    };
    if (used <= LIMIT) return failures++ % 4 === 0 ? reply(502, '') : reply(200, APPLICATION, headers);
    refused += 1;
    return reply(429, { error: 'RATE_LIMITED', message: 'Wait.', scope: 'partner' }, headers);
  }

  return { answer: async () => answer(), refused: () => refused };
}

it.each([
  ['each by a millisecond', [1]],
  ['by up to 50 ms', [0, 17, 1, 50, 3, 0, 42]],
  ['by up to a second', [400, 0, 1_000, 30]],
])('keeps to a limit while time passes with the looks at the clock, %s', async (_pace, paces) => {
  let looks = 0;
  const stepMs = () => paces[looks++ % paces.length] ?? 0;
  const clock = createFakeClock(STORY_START, { stepMs, maxLooks: MAX_LOOKS });
  const service = createService(clock);
  const client = clientOf(service.answer, { clock, maxAttempts: 50, totalTimeoutMs: 3_600_000 });
  let done = 0;
  const asked = Array.from({ length: REQUESTS }, async () => {
    await client.applications.get('ej_app_1');
    done += 1;
  });
  for (let second = 0; second < 900 && done < REQUESTS; second += 1) await clock.advance(1_000);
  await Promise.all(asked);
  expect(service.refused()).toBeLessThan(REQUESTS / 2);
});
