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

it('does not remember a URL that is as long as a body may be: a thousand of them would fill the memory', () => {
  const url = `https://resumes.test/${'a'.repeat(250_000)}`;
  expect(checkUrl(url)).toMatchObject({ kind: 'allowed' });
  expect(checkUrl(url)).not.toBe(checkUrl(url));
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
