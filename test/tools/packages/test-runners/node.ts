import { test } from 'node:test';
import { ERROR_STORIES } from './errors.js';
import { storiesFor } from './stories.js';

const STORIES = { ...ERROR_STORIES, ...storiesFor(process.env.DATABASE_URL) };

for (const [title, run] of Object.entries(STORIES)) void test(title, run);
