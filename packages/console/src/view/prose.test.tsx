import { expect, it } from 'vitest';
import { Prose } from './prose.js';

it.each([
  [
    'The end is 2026-01-05T09:02:03.000Z.',
    'The end is <time datetime="2026-01-05T09:02:03Z" title="2026-01-05 09:02:03 UTC">5 Jan 2026, 09:02 UTC</time>.',
  ],
  ['`limit` must be an integer.', '<code>limit</code> must be an integer.'],
  ['All attempts failed. deliveries.resend sends the event. Wait.', 'All attempts failed. Wait.'],
  ['Call jobs.close first.', 'Call jobs.close first.'],
  [
    'Use https://ats.example/webhooks. Nothing was changed.',
    'Use https://ats.example/webhooks. Nothing was changed.',
  ],
])('writes “%s” in plain words', async (text, html) => {
  expect(String(await Prose({ text }))).toBe(html);
});
