/** What hosts run from the tarballs, on the sources. */
import { expect, test } from 'vitest';
import { storiesFor } from '../../../test/tools/packages/test-runners/stories.js';

const stories = storiesFor(undefined);

test.each(Object.keys(stories))('the test kit serves a test: %s', async (title) => {
  await stories[title]?.();
});

test('without a connection string, no story needs PostgreSQL', () => {
  expect(Object.keys(stories).filter((title) => !title.startsWith('SQLite: '))).toEqual([]);
});
