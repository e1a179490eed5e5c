import { OperatorError } from '@partner-hiring/core';
import { expect, it } from 'vitest';
import { checkConsoleOptions } from './options.js';

const OPTIONS = { operator: { as: () => {} }, actor: () => null };

it('the console has defaults', () => {
  expect(checkConsoleOptions(OPTIONS as never)).toMatchObject({
    path: '/console',
    origin: null,
    frameAncestors: [],
    timeoutMs: 5_000,
    signIn: null,
  });
});

it.each([
  [{ operator: undefined }, 'needs `operator`'],
  [{ actor: undefined }, 'needs `actor`'],
  [{ path: 'console' }, '`path` must'],
  [{ path: '/console/' }, '`path` must'],
  [{ path: '/' }, '`path` must'],
  [{ path: '/:tenant' }, '`path` must'],
  [{ origin: 'admin.example.com' }, '`origin` must'],
  [{ origin: 'https://admin.example.com/' }, '`origin` must'],
  [{ frameAncestors: ['*'] }, '`frameAncestors` must'],
  [{ timeoutMs: 0 }, '`timeoutMs` must'],
  [{ logger: {} }, '`logger` must'],
  [{ signOut: '/logout' }, '`signOut` must'],
  [{ signOutUrl: 'javascript:alert(1)' }, '`signOutUrl` must'],
  [{ signOutUrl: '//evil.example' }, '`signOutUrl` must'],
  [{ signOut: () => new Response(), signOutUrl: '/logout' }, 'not both'],
  [{ acter: () => null }, 'has no option `acter`'],
])('the console refuses the options %j', (change, message) => {
  const check = () => checkConsoleOptions({ ...OPTIONS, ...change } as never);
  expect(check).toThrow(OperatorError);
  expect(check).toThrow(message);
});
