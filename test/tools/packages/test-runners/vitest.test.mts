import { afterEach, test, vi } from 'vitest';
import { storiesFor } from './stories.js';

afterEach(() => void vi.useRealTimers());

for (const [title, run] of Object.entries(storiesFor(process.env.DATABASE_URL))) {
  test(title, run);
  test(`${title}, under fake timers`, async () => {
    vi.useFakeTimers();
    await run();
  });
}
