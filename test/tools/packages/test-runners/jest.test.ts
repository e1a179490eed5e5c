import { ERROR_STORIES } from './errors.js';
import { storiesFor } from './stories.js';

/** Jest's global. */
declare const test: (title: string, run: () => Promise<void>) => void;

const STORIES = { ...ERROR_STORIES, ...storiesFor(process.env.DATABASE_URL) };

for (const [title, run] of Object.entries(STORIES)) test(title, run);
