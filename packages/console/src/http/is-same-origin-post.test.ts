import { expect, it } from 'vitest';
import { isSameOriginPost } from './is-same-origin-post.js';

const URL_OF_POST = 'https://admin.example.com/console/x';
const asks = (headers: Record<string, string>) => ({ url: URL_OF_POST, headers: new Headers(headers) });

const CASES: readonly (readonly [Record<string, string>, string | null, boolean])[] = [
  [{ 'sec-fetch-site': 'same-origin' }, null, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, null, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://admin.example.com' }, null, false],
  [{ 'sec-fetch-site': 'same-origin, cross-site' }, null, false],
  [{ 'sec-fetch-site': '' }, null, false],
  [{ origin: 'https://admin.example.com' }, null, true],
  [{ origin: 'https://ADMIN.example.com' }, null, false],
  [{ origin: 'https://admin.example.com' }, 'https://other.example', false],
  [{ origin: 'https://other.example' }, 'https://other.example', true],
  [{}, null, false],
];

it.each(CASES)('whether a POST with %j and the origin %s is its own is %s', (headers, origin, isOwn) => {
  expect(isSameOriginPost(asks(headers), origin)).toBe(isOwn);
});
