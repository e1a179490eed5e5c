import { expect, it } from 'vitest';
import { localTarget } from './mounting.js';

it.each([
  ['', '/api/jobs?x=1', '/api/jobs?x=1'],
  ['', '/x/../api/jobs', '/api/jobs'],
  ['/hiring', '/hiring/api/jobs?x=1#y', '/api/jobs?x=1'],
  ['/hiring', '/x/%2e%2e/hiring/api/jobs', '/api/jobs'],
  ['/hiring', 'http://a.example/hiring/./api/jobs', '/api/jobs'],
  ['/hiring', '/hiring/x/../../hiring/api/jobs', '/api/jobs'],
  ['/hiring', '/hiring/../api/jobs', '/'],
  ['/hiring', '/hiring/../../../api/jobs', '/'],
  ['/hiring', '/hiring-too/api/jobs', '/'],
  ['/hiring', '/hiring', '/'],
  ['/of/..', '/of/../api/jobs', '/'],
])('with the prefix "%s", %s becomes %s', (prefix, target, local) => {
  expect(localTarget(prefix, target)).toBe(local);
});
