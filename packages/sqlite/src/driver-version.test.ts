import { expect, it } from 'vitest';
import { driverProblem } from './driver-version.js';

it.each([
  ['13.2.0', '20.19.0', '9'],
  ['13.0.0', '22.0.0', '9'],
  ['13.2.0', '22.13.1', '9'],
  ['13.2.0', '23.5.0', '9'],
  ['14.0.0', '21.7.0', '9'],
  ['13.2.0-beta.1', '20.19.0', undefined],
])('better-sqlite3 %s on Node %s is refused with the version to install', (driver, node, nodeApi) => {
  expect(driverProblem(driver, node, nodeApi)).toMatch(
    new RegExp(
      `^better-sqlite3 ${driver} .*Node ${node}.*\`npm install better-sqlite3@12\`.*pnpm add better-sqlite3@12`,
    ),
  );
});

it.each([
  ['12.11.1', '20.19.0', '9'],
  ['12.5.0', '22.0.0', '9'],
  ['13.2.0', '22.14.0', '10'],
  ['13.2.0', '23.6.0', '10'],
  ['13.2.0', '24.0.0', '10'],
  ['13.2.0', '26.1.0', '12'],
])('better-sqlite3 %s runs on Node %s', (driver, node, nodeApi) => {
  expect(driverProblem(driver, node, nodeApi)).toBeNull();
});
