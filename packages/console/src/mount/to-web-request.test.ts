import { expect, it } from 'vitest';
import { formText, isUnder, pathOfTarget, toWebRequest } from './to-web-request.js';

const PARTS = {
  method: 'GET',
  target: '/console',
  rawHeaders: ['Host', 'a.example', 'X-Own', '1', 'x-own', '2'],
  headers: { host: 'a.example' },
  isEncrypted: false,
  body: null,
} as const;

it.each([
  ['/console?x=1', 'http://a.example/console?x=1'],
  ['//evil.example/console', 'http://a.example//evil.example/console'],
  ['http://evil.example/console', 'http://a.example/console'],
  ['/console/../own', 'http://a.example/own'],
])('takes the origin from the Host header: %s', (target, url) => {
  expect(toWebRequest({ ...PARTS, target })?.url).toBe(url);
});

it('keeps repeated headers, and leaves out those of HTTP/2 itself', () => {
  const rawHeaders = [...PARTS.rawHeaders, ':path', '/console'];
  expect(toWebRequest({ ...PARTS, rawHeaders })?.headers.get('x-own')).toBe('1, 2');
});

it('returns null for a host that is none', () => {
  expect(toWebRequest({ ...PARTS, headers: { host: 'a b' } })).toBeNull();
});

it.each([
  [{ a: '1', b: ['2', '3'], c: { d: '4' }, e: 5 }, 'a=1&b=2&b=3'],
  ['a=1', 'a=1'],
  [Buffer.from('a=1'), 'a=1'],
  [undefined, null],
  [null, null],
])('writes a parsed form as text again: %j', (parsed, text) => {
  expect(formText(parsed)).toBe(text);
});

it.each([
  ['/console', true],
  ['/console/x', true],
  ['/console?x', true],
  ['http://a.example/console', true],
  ['/consoles', false],
  ['/', false],
  ['/x/console', false],
])('whether %s is under /console: %s', (target, is) => {
  expect(isUnder(pathOfTarget(target), '/console')).toBe(is);
});
