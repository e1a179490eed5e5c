import { test } from 'node:test';
import { storiesFor } from './stories.js';

for (const [title, run] of Object.entries(storiesFor(process.env.DATABASE_URL))) void test(title, run);
