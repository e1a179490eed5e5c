import { storiesFor } from './stories.js';

/** Jest's global. */
declare const test: (title: string, run: () => Promise<void>) => void;

for (const [title, run] of Object.entries(storiesFor(process.env.DATABASE_URL))) test(title, run);
