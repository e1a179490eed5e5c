import { type FakeClock, settle } from '@partner-hiring/test-support/clock';

/** More than any story takes. */
const LONGEST_STORY_SECONDS = 3_600;

/** Turns the clock, a second at a time, until the work is settled. */
export async function turnUntilSettled<Result>(clock: FakeClock, work: Promise<Result>): Promise<Result> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  work.then(end, end);
  for (let second = 0; second < LONGEST_STORY_SECONDS; second += 1) {
    // Hashing happens outside of the event loop, and takes no turns of it.
    await new Promise((resolve) => setTimeout(resolve, 1));
    await settle();
    if (isSettled) return work;
    await clock.advance(1_000);
  }
  throw new Error('The story does not end.');
}
