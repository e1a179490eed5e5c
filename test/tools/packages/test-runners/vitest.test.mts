import { test } from 'vitest';
import { storiesFor } from './stories.js';

for (const [title, run] of Object.entries(storiesFor(process.env.DATABASE_URL))) test(title, run);
