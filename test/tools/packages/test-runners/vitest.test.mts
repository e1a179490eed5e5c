import { afterEach, test, vi } from 'vitest';
import { ERROR_STORIES } from './errors.js';
import { storiesFor } from './stories.js';

afterEach(() => void vi.useRealTimers());

const STORIES = { ...ERROR_STORIES, ...storiesFor(process.env.DATABASE_URL) };

for (const [title, run] of Object.entries(STORIES)) {
  test(title, run);
  test(`${title}, under fake timers`, async () => {
    vi.useFakeTimers();
    await run();
  });
}
