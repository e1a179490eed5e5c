import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isAbortSignal, isBytes, isError, isPromise } from './any-realm.js';

const elsewhere = (code: string): unknown => runInNewContext(code);

class Tagged extends Error {
  get [Symbol.toStringTag]() {
    return 'PrismaClientKnownRequestError';
  }
}

test('values of another realm are known', () => {
  const errors = ['new Error("e")', 'new TypeError("e")', 'new (class Own extends Error {})("e")'];
  expect(errors.map((code) => isError(elsewhere(code)))).toEqual([true, true, true]);
  expect(isPromise(elsewhere('Promise.resolve()'))).toBe(true);
  expect(isBytes(elsewhere('new Uint8Array(2)'))).toBe(true);
});

test('values of this realm are known, and others are not', () => {
  const errors = [
    new TypeError('e'),
    new Tagged('e'),
    AbortSignal.abort().reason,
    AbortSignal.timeout(0).reason,
  ];
  expect(errors.map(isError)).toEqual([true, true, true, false]);
  expect([{ name: 'Error', message: 'e' }, 'Error', null, undefined].filter(isError)).toEqual([]);
  expect([isBytes(Buffer.from('a')), isBytes(new DataView(new ArrayBuffer(1))), isBytes([1])]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isAbortSignal(AbortSignal.abort()), isAbortSignal({ aborted: true })]).toEqual([true, false]);
});
