import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTarget, resolveTarget } from './target.js';

describe('a request target', () => {
  it.each([
    ['/jobs', '/jobs'],
    ['/jobs?limit=1', '/jobs?limit=1'],
    ['/jobs?', '/jobs?'],
    ['/jobs#top', '/jobs'],
    ['/jobs?limit=1#?limit=2', '/jobs?limit=1'],
    ['/jobs#top?limit=2', '/jobs'],
    ['/x/../jobs', '/jobs'],
    ['/x/%2e%2E/jobs', '/jobs'],
    ['/./x/.%2e/%2e/jobs', '/jobs'],
    ['/../../jobs', '/jobs'],
    ['/jobs/.', '/jobs/'],
    ['/jobs/..', '/'],
    ['/jobs/...', '/jobs/...'],
    ['/.well-known', '/.well-known'],
    ['/v1.0/jobs', '/v1.0/jobs'],
    ['/..%2Fjobs', '/..%2Fjobs'],
    ['/..;/jobs', '/..;/jobs'],
    ['/%252e/jobs', '/%252e/jobs'],
    ['/a\\b', '/a/b'],
    ['/a%5Cb', '/a%5Cb'],
    ['//jobs', '//jobs'],
    ['//x/../jobs', '//jobs'],
    ['/jobs?/../x\\y', '/jobs?/../x\\y'],
    ['/%zz/../%', '/%'],
    ['http://a.example/x/../jobs?limit=1#top', '/jobs?limit=1'],
    ['HTTPS://A.EXAMPLE:99\\jobs', '/jobs'],
    ['http://a.example?limit=1', '?limit=1'],
    ['http://a.example', ''],
    ['http://a.example#/jobs', ''],
    ['*', '*'],
    ['', ''],
    ['../jobs', '../jobs'],
  ])('resolves %s to %s', (target, resolved) => {
    expect(resolveTarget(target)).toBe(resolved);
    expect(resolveTarget(resolved)).toBe(resolved);
    const { path, query } = readTarget(target);
    expect(query === '' ? path : `${path}?${query}`).toBe(resolved.replace(/\?$/, ''));
  });

  it('equals the target of a `Request`, as a path or as a whole URL', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2F',
      '%5C',
      '%',
      '%zz',
      ';',
      'x',
      'é',
      '"',
      '^',
      ' x',
      '?',
      '#',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const target = `/${pieces.join('')}`;
        for (const sent of [target, `http://a.example${target}`]) {
          const { pathname, search } = new URL(`http://a.example${target}`);
          const { path, query } = readTarget(sent);
          // A parser may encode some characters differently.
          expect(new URL(`http://a.example${path}`).pathname).toBe(pathname);
          expect(new URL(`http://a.example?${query}`).search).toBe(search);
          expect(path.split('/').length).toBe(pathname.split('/').length);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
