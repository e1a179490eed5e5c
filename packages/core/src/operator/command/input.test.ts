import { countTurns } from '@partner-hiring/test-support/turns';
import { describe, expect, it } from 'vitest';
import { flag, id, optional, text } from './fields.js';
import { either, filter, InputProblem, list, namedError, nothing, object, record } from './input.js';
import { oneOrMany, resultsFor } from './one-or-many.js';

const FIELDS = { keyId: id('key'), dryRun: optional(flag), at: optional(object({ city: text() })) };

function problemsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof InputProblem) return error.problems;
    throw error;
  }
}

describe('a check', () => {
  it('returns the object of the caller, also if it is frozen or an instance of a class', () => {
    class Target {
      readonly keyId = 'key_1';
      readonly dryRun = undefined;
    }
    for (const input of [
      Object.freeze({ keyId: 'key_1', at: Object.freeze({ city: 'Reno' }) }),
      new Target(),
    ]) {
      expect(record(FIELDS).check(input)).toBe(input);
    }
  });

  it('names all problems at once, unknown names first', () => {
    const wrong = { keyId: 7, dryRun: 'no', at: { city: 1, town: 'Reno' }, colour: 'red' };
    expect(problemsOf(() => record(FIELDS).check(wrong))).toEqual([
      'at.town is unknown: a name must be one of city',
      'colour is unknown: a name must be one of keyId, dryRun, at',
      'keyId must be text',
      'dryRun must be true or false',
      'at.city must be text',
    ]);
  });

  it('refuses a name such as __proto__ and shortens a long one', () => {
    const input: unknown = JSON.parse(`{"keyId":"key_1","__proto__":{},"${'x'.repeat(9_000)}":1}`);
    const [proto = '', long = ''] = problemsOf(() => record(FIELDS).check(input));
    expect(proto).toContain('__proto__ is unknown');
    expect(long.length).toBeLessThan(600);
  });

  it('replaces only an id that no database can store', () => {
    const input = { keyId: 'key_\0', dryRun: true };
    const checked = record(FIELDS).check(input);
    expect(checked).toEqual({ keyId: expect.not.stringContaining('\0'), dryRun: true });
    expect(input.keyId).toBe('key_\0');
  });

  it('takes an omitted filter as an empty one, and what is no object as no input', () => {
    expect([filter({ dryRun: optional(flag) }).check(null), nothing().check(7)]).toEqual([{}, {}]);
    expect(problemsOf(() => nothing().check({ colour: 'red' }))).toEqual([
      'colour is unknown: this command takes no options',
    ]);
  });

  it('tells the members of a union apart by its rules', () => {
    type Either = { readonly a: string } | { readonly b: string };
    const input = either<Either>()({ a: optional(text()), b: optional(text()) }, ({ a, b }) =>
      a === undefined && b === undefined ? [{ rule: 'must have a or b' }] : [],
    );
    expect(problemsOf(() => input.check({}))).toEqual(['the input must have a or b']);
    expect(input.check({ b: '1' })).toEqual({ b: '1' });
  });
});

describe('a check of a list', () => {
  const input = list(FIELDS, { name: 'keys', rule: 'one for each key', max: 2_000 });
  const rows = (count: number) => Array.from({ length: count }, () => ({ keyId: 'key_1' }));

  it('returns the list of the caller, and lets the event loop turn at every 500 rows', async () => {
    const given = rows(2_000);
    const turns = countTurns();
    expect(await input.check(given)).toBe(given);
    expect(turns.end()).toBeGreaterThanOrEqual(3);
  });

  it('names the row, also in the gap of a sparse list', async () => {
    const given: unknown[] = [{ keyId: 'key_1' }];
    given[2] = { keyId: 7 };
    await expect(input.check(given)).rejects.toMatchObject({
      problems: ['keys[1] must be an object', 'keys[2].keyId must be text'],
    });
  });

  it('is refused before its rows are read if it is too long', async () => {
    await expect(input.check(rows(2_001))).rejects.toThrow('keys must be a list of at most 2000 keys');
  });
});

describe('an input that is one object or a list', () => {
  const rules = { name: 'keys', rule: 'one for each key', max: 2 };
  const input = oneOrMany(FIELDS, rules);

  it.each([
    [{ keyId: 7 }, ['keyId must be text']],
    ['key_1', ['the input must be an object']],
    [[{ keyId: 'key_1' }, { keyId: 7 }], ['keys[1].keyId must be text']],
    [[{}, {}, {}], ['keys must be a list of at most 2 keys']],
  ])('names the field of %j, and in a list the row', async (given, problems) => {
    await expect(async () => input.check(given)).rejects.toMatchObject({ problems });
  });

  it('has the fields of one object', () => {
    expect(input.fields).toEqual(record(FIELDS).fields);
    expect(input.ids).toEqual(['keyId']);
  });

  it('returns one result for one object, and a list for a list', () => {
    expect([resultsFor(1, [2]), resultsFor([1, 2], [2, 4]), resultsFor([], [])]).toEqual([2, [2, 4], []]);
  });
});

it('an error for the host has the name of the command, and at most ten problems', () => {
  const error = namedError(
    'keys.rotate',
    new InputProblem(...Array.from({ length: 12 }, (_, index) => `${index} is wrong`)),
  );
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(
      /^keys\.rotate: 0 is wrong; .*9 is wrong; and 2 more\. Nothing was changed\.$/,
    ),
  });
});
