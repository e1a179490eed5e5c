import { type FakeClock, settle } from '@partner-hiring/test-support/clock';

/** Longer than any test. */
const LONGEST_STORY_SECONDS = 3_600;

/** Advances the clock by seconds until the work settles. */
export async function turnUntilSettled<Result>(clock: FakeClock, work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  work.then(end, end);
  for (let second = 0; second < LONGEST_STORY_SECONDS; second += 1) {
    // Hashing runs outside of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await settle();
    if (isSettled) return work;
    await clock.advance(1_000);
  }
  throw new Error('The story does not end.');
}
