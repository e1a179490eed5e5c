import { certify } from '@partner-hiring/certify';
import { expect, test } from 'vitest';
import { certifyWith, codesOf } from './certify-with.js';
import { OLD_SECRET, RIGHT, SECRET, startReceiver } from './receiver.js';

test('what a right receiver refuses is not judged where nothing is taken', async () => {
  const { checks } = await certifyWith({ secrets: [OLD_SECRET] });
  expect(checks.find(({ name }) => name === 'tampered_body')?.verdict).toBe('skipped');
});

test('how the secret is read is not judged where any secret will do', async () => {
  const report = await certifyWith({ refusal: 200, statusFor: () => 500 });
  expect(codesOf(report)).toEqual(['refuses_everything', 'accepts_wrong_secret']);
});

test('a query is not shown, and no secret is in a report, not even one that the receiver sent back', async () => {
  const url = await startReceiver({
    ...RIGHT,
    before: (request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(`expected ${SECRET}\u001b[2J`));
      return true;
    },
  });
  const report = await certify({ url: `${url}?token=hidden`, secret: SECRET });
  const text = JSON.stringify(report);
  expect(text).toContain('expected (secret)');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('hidden');
  expect(text).not.toContain('\\u001b');
});
