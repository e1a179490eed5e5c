import { expect, test } from 'vitest';
import { readOptions } from './options.js';

const URL = 'https://ats.example.org/webhooks';

test.each([
  ['a, b', ['a', 'b']],
  [
    ['a,b', 'c'],
    ['a', 'b', 'c'],
  ],
])('takes the secrets %j', (secret, secrets) => {
  expect(readOptions({ url: URL, secret, oldSecret: 'd,e' })).toMatchObject({
    secrets,
    oldSecrets: ['d', 'e'],
  });
});

test.each([',', 'a,', 'a,,b', ['a', ',b'], 'a b', ' a'])('refuses the secrets %j', (secret) => {
  expect(() => readOptions({ url: URL, secret })).toThrow('secret must be a signing secret');
});
