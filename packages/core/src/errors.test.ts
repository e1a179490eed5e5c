import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import * as ours from './errors.js';

async function another(): Promise<typeof ours> {
  vi.resetModules();
  return import('./errors.js');
}

it('recognizes errors of another copy of the package, and no others', async () => {
  const theirs = await another();
  const misconfigured = new theirs.OperatorError('MISCONFIGURED', 'An option is missing.');
  const unavailable = new theirs.StorageUnavailable('The database cannot be used.');

  expect(theirs.OperatorError).not.toBe(ours.OperatorError);
  expect([misconfigured instanceof ours.OperatorError, unavailable instanceof ours.OperatorError]).toEqual([
    true,
    false,
  ]);
  expect([
    misconfigured instanceof ours.StorageUnavailable,
    unavailable instanceof ours.StorageUnavailable,
  ]).toEqual([false, true]);
  const lacking = new theirs.NetworkUnavailable('No file descriptor is left.');
  expect([lacking instanceof ours.NetworkUnavailable, lacking instanceof ours.StorageUnavailable]).toEqual([
    true,
    false,
  ]);
  for (const other of [new Error('OperatorError'), { name: 'OperatorError' }, null]) {
    expect(other).not.toBeInstanceOf(ours.OperatorError);
    expect(other).not.toBeInstanceOf(ours.StorageUnavailable);
  }
});

it("does not take an error for an instance of a host's subclass", () => {
  class PayrollError extends ours.OperatorError {}

  const error = new ours.OperatorError('INVALID_INPUT', 'name is blank');
  expect(error).not.toBeInstanceOf(PayrollError);
  expect(new PayrollError('INVALID_INPUT', 'name is blank')).toBeInstanceOf(ours.OperatorError);
});

it('keeps the shared symbol out of logs', () => {
  const error = new ours.OperatorError('INVALID_INPUT', 'name is blank');
  expect(inspect(error)).not.toContain('Symbol');
  expect(JSON.parse(JSON.stringify(error))).toEqual({ name: 'OperatorError', code: 'INVALID_INPUT' });
});
