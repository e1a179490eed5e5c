import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import { expect, test } from 'vitest';
import type { AnyOperator } from './command/command.js';
import { type CommandLineOptions, runCommandLine } from './run-command-line.js';

const PARTNER = { id: 'ptn_1', name: 'Acme', createdAt: 0, keys: [] };

/** Runs a command on an operator that adds partners by `create`. */
async function run(
  line: string,
  add: () => Promise<unknown> = async () => PARTNER,
  options: Partial<CommandLineOptions> = {},
) {
  const out: string[] = [];
  const error: string[] = [];
  const opened = { count: 0, actors: [] as unknown[], closed: 0 };
  const close = async () => {
    opened.closed += 1;
  };
  const operator = {
    partners: { create: add },
    through: () => operator,
    as: (actor: unknown) => {
      opened.actors.push(actor);
      return operator;
    },
  };
  const code = await runCommandLine({
    argv: line.split(' ').filter(Boolean),
    open: async () => {
      opened.count += 1;
      return { operator: operator as unknown as AnyOperator, close };
    },
    output: { out: (text) => void out.push(text), error: (text) => void error.push(text) },
    ...options,
  });
  return { code, out: out.join('\n'), error: error.join('\n'), opened };
}

const failing = (error: unknown) => async () => {
  throw error;
};

test('runs a command on the operator of the host, and closes it', async () => {
  const { code, out, error, opened } = await run('partners create Acme --json --as ada --reason ticket');
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(JSON.parse(out)).toEqual({ ...PARTNER, createdAt: '1970-01-01T00:00:00.000Z' });
  expect(opened).toEqual({ count: 1, actors: [{ id: 'ada', reason: 'ticket' }], closed: 1 });
});

test('opens nothing for help or an invalid line, and names the program', async () => {
  const help = await run('', undefined, { programName: 'npm run operator --' });
  expect(help).toMatchObject({ code: 0, error: '', opened: { count: 0 } });
  expect(help.out).toContain('Usage: npm run operator -- <group> <command>');
  const invalid = await run('partners ad Acme', undefined, { programName: 'npm run operator --' });
  expect(invalid).toMatchObject({ code: 2, out: '', opened: { count: 0 } });
  expect(invalid.error).toContain('Help: npm run operator -- partners --help');
  expect((await run('completion bash')).error).toContain('Unknown command "completion"');
});

test('closes the operator after a refusal, which exits with 1', async () => {
  const refused = await run(
    'partners create Acme',
    failing(new OperatorError('PARTNER_EXISTS', 'See partners.list.')),
  );
  expect(refused).toMatchObject({
    code: 1,
    out: '',
    error: 'PARTNER_EXISTS: See partners list.',
    opened: { closed: 1 },
  });
});

test('reports an outage with its cause', async () => {
  const outage = new StorageUnavailable('The database is gone.', { cause: new Error('socket\nclosed') });
  const { code, error } = await run('partners create Acme', failing(outage));
  expect({ code, error }).toEqual({ code: 1, error: 'The database is gone. Reason: socket closed' });
});

test('reports a bug in one line, and its stack with --debug', async () => {
  const bug = new TypeError('x is not\n a function', { cause: new Error('deeper') });
  const { code, error } = await run('partners create Acme', failing(bug));
  expect({ code, error }).toEqual({
    code: 1,
    error: 'Unexpected error: x is not a function. To see the stack, add --debug.',
  });
  const debugged = await run('--debug partners create Acme', failing(bug));
  expect(debugged.error).toMatch(
    /^Unexpected error: x is not a function\.\nTypeError: x is not\n a function\n {4}at /,
  );
  expect(debugged.error).toContain('Caused by: Error: deeper');
  expect((await run('partners create Acme', failing('text'))).error).toContain('Unexpected error: text');
});

test('lets the host describe its errors, also those of open', async () => {
  const describeError = (error: unknown) => (error instanceof RangeError ? 'Set DATABASE_FILE.' : null);
  const open = failing(new RangeError('no file'));
  const failed = await run('partners create Acme', undefined, {
    describeError,
    open: open as CommandLineOptions['open'],
  });
  expect(failed).toMatchObject({ code: 1, out: '', error: 'Set DATABASE_FILE.' });
  const other = await run('partners create Acme', failing(new OperatorError('INVALID_INPUT', 'No.')), {
    describeError,
  });
  expect(other.error).toBe('INVALID_INPUT: No.');
});

test('reports that the operator cannot be closed', async () => {
  const { code, error } = await run('partners create Acme', undefined, {
    open: async () => ({
      operator: { partners: { add: async () => PARTNER } } as unknown as AnyOperator,
      close: async () => {
        throw new Error('The pool is gone.');
      },
    }),
  });
  expect({ code, error: error.startsWith('Unexpected error: The pool is gone.') }).toEqual({
    code: 1,
    error: true,
  });
});
