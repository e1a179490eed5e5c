import { describe, expect, test } from 'vitest';
import { runSource } from '../examples/run-program.js';
import { readArguments } from './arguments.js';

const SUITES = ['sqlite', 'postgres', 'pages', 'earlier'];

describe('the arguments of the benchmarks', () => {
  test('without any, everything runs in full but the comparison with another checkout', () => {
    const suites = ['sqlite', 'postgres', 'pages'];
    const all = { kind: 'run', suites, isQuick: false, only: '', against: null, rows: null };
    expect(readArguments([], SUITES)).toEqual(all);
  });

  test.each([
    [['pages', 'sqlite', '--quick'], { suites: ['sqlite', 'pages'], isQuick: true, only: '' }],
    [['--only=lone', 'pages'], { suites: ['pages'], isQuick: false, only: 'lone' }],
    [['--only', 'lone'], { suites: ['sqlite', 'postgres', 'pages'], isQuick: false, only: 'lone' }],
    [
      ['earlier', '--against=../before'],
      { suites: ['earlier'], isQuick: false, only: '', against: '../before' },
    ],
    [['pages', '--rows=5000'], { suites: ['pages'], isQuick: false, only: '', rows: 5_000 }],
  ])('%j', (args, expected) => {
    expect(readArguments(args, SUITES)).toEqual({ kind: 'run', against: null, rows: null, ...expected });
  });

  test.each([
    [['page'], '"page" is none of sqlite, postgres, pages, earlier.'],
    [['earlier'], 'need each other'],
    [['--against=../before'], 'need each other'],
    [['sqlite', '--quik'], '--quik'],
    [['--only'], '--only'],
    [['--rows', 'many'], '--rows must be a number'],
  ])('%j are wrong: %s', (args, says) => {
    expect(readArguments(args, SUITES)).toEqual({ kind: 'wrong', message: expect.stringContaining(says) });
  });
});

describe('the command', () => {
  test('--help exits with 0 and names the suites, and nothing is measured', async () => {
    const { code, stdout } = await runSource('test/bench/main.ts', ['--help'], {});
    expect(stdout).toContain(
      'sqlite, postgres, transactions, pages, lists, find, many-keys, spread, start, inbox, requests, operations, sync, bodies, deliveries, evidence',
    );
    expect(stdout).not.toContain('rounds of');
    expect(code).toBe(0);
  });

  test('an unknown suite exits with 2 and the usage, and nothing is measured', async () => {
    const { code, stdout, stderr } = await runSource('test/bench/main.ts', ['sqlit'], {});
    expect(stderr).toContain(
      '"sqlit" is none of sqlite, postgres, transactions, pages, lists, find, many-keys, spread, start, inbox, requests, operations, sync, bodies, deliveries, evidence, sizing, console, verifier, earlier.',
    );
    expect(stderr).toContain('Usage: npm run bench');
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});
