import { expect, it } from 'vitest';
import { createPrefixReader, isPublicPath, readPublicPath } from './public-path.js';

const LONG = `/${'x'.repeat(199)}`;

it.each(['/hiring', '/a/b.c/~d_e-f', LONG])('takes the path %s as an option and as a header', (path) => {
  expect(isPublicPath(path)).toBe(true);
  expect(readPublicPath('createConsole', path, '/console')).toBe(path);
  expect(createPrefixReader(null, () => expect.unreachable())(path, () => true)).toBe(path);
});

it.each([
  '',
  '/',
  'hiring',
  '/hiring/',
  '//evil.example',
  '/a//b',
  '/a b',
  '/a,/b',
  '/a, /b',
  '/a"b',
  '/a;b',
  '/a%20b',
  '/a\\b',
  '/a\n',
  '/ä',
  '/a?b',
  '/a#b',
  '/..',
  '/a/../b',
  '/./a',
  'https://evil.example/a',
  `${LONG}x`,
])('refuses %j as an option, with the fix, and as a header', (path) => {
  expect(() => readPublicPath('createConsole', path, '/console')).toThrow(
    /createConsole: `publicPath` must be the path that your proxy removes, such as "\/hiring"/,
  );
  const warned: string[] = [];
  expect(createPrefixReader(null, (message) => void warned.push(message))(path, () => true)).toBe('');
  expect(warned).toEqual([expect.stringContaining('must be a path such as /hiring')]);
});

it('takes the header of a trusted proxy only, and warns once of each problem', () => {
  const warned: string[] = [];
  const read = createPrefixReader(null, (message) => void warned.push(message));
  expect([read(null, () => false), warned.length]).toEqual(['', 0]);
  for (let count = 0; count < 100; count += 1) {
    expect(read('/hiring', () => true)).toBe('/hiring');
    expect(read('/hiring', () => false)).toBe('');
    expect(read(`/hiring ${count}`, () => true)).toBe('');
  }
  expect(warned).toEqual([
    expect.stringContaining('does not trust who sent it. Set `trust proxy` of Express or `trustProxy`'),
    expect.stringContaining('must be a path such as /hiring'),
  ]);
  expect(warned.join()).not.toContain('99');
});

it('the option wins over the header, and nothing is warned of', () => {
  const read = createPrefixReader('/own', () => expect.unreachable());
  expect([read('/other', () => true), read('nonsense', () => false), read(null, () => true)]).toEqual([
    '/own',
    '/own',
    '/own',
  ]);
});
