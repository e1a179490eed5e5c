import { expect, it } from 'vitest';
import { createUrlCheck } from './check-url.js';

const checkUrl = createUrlCheck({ allowPrivateNetworks: false, allowPlainHttp: false });

it('remembers how a URL was judged', () => {
  const url = 'https://hooks.test/webhooks';
  expect(checkUrl(url)).toBe(checkUrl(url));
});

it('remembers a thousand, and lets go of the first of them for the next', () => {
  const first = checkUrl('https://first.test/');
  for (let count = 1; count < 1_000; count += 1) checkUrl(`https://hooks.test/${count}`);
  expect(checkUrl('https://first.test/')).toBe(first);
  checkUrl('https://hooks.test/1000');
  expect(checkUrl('https://first.test/')).not.toBe(first);
});

it('remembers a URL as long as an endpoint’s may be, and none that is longer: those would fill the memory', () => {
  const longest = 'https://hooks.test/'.padEnd(2_048, 'a');
  expect(checkUrl(longest)).toBe(checkUrl(longest));
  for (const url of [`${longest}a`, longest.padEnd(250_000, 'a')]) {
    expect(checkUrl(url)).toMatchObject({ kind: 'allowed' });
    expect(checkUrl(url)).not.toBe(checkUrl(url));
  }
});

it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.'])(
  'knows without a look-up that %s is this machine',
  (host) => {
    expect(checkUrl(`https://${host}/`)).toMatchObject({ kind: 'refused', failure: 'address_refused' });
  },
);

it('takes names that only look like this machine', () => {
  expect(checkUrl('https://notlocalhost/')).toMatchObject({ kind: 'allowed' });
  expect(checkUrl('https://localhost.example.com/')).toMatchObject({ kind: 'allowed' });
});
