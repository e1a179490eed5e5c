/** The names and results of the operator's commands can be guessed from each other. */
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { describe, expect, test } from 'vitest';
import { ACTS } from '../../packages/core/src/features/commands.js';
import { LIST_LIMIT } from '../../packages/core/src/operator/command/fields.js';
import { firstSentenceOf } from '../tools/api-report/api-report.js';
import { verbOf } from '../tools/sizes/counts.js';
import { operatorMethods } from './operator-methods.js';
import { openPublicSurface } from './published.js';

const surface = openPublicSurface();
const { checker, exportsOf } = surface;
const EXPORTS = exportsOf(join('packages', 'core', 'src', 'index.ts'));

/** These return what they made, also as lists. */
const CREATING = new Set(['create', 'issue', 'prepare', 'publish', 'rotate']);

/** What changes, but does not return `{ <noun>, changed }`, with the reason. */
const WITHOUT_CHANGED = new Map([
  ['candidates.reveal', 'it changes nothing, and is recorded because it shows personal data'],
  ['endpoints.test', 'the outcome of the test; it changes nothing but the audit'],
  ['audit.recordExport', 'it changes nothing but the audit'],
  ['candidates.erase', 'a receipt that lists each application, with what was erased'],
  ['candidates.eraseMany', 'counts for many candidates, with the operation for the rest'],
  ['deliveries.resend', 'counts for many events, with the operation for the rest'],
  ['bulk.start', 'the operation that changes many objects'],
  ['jobs.closeAll', 'the operation that closes them'],
  ['jobs.syncs.run', 'counts for many jobs'],
  ['keys.probe', 'the result of each probe, with the whole checklist'],
  ['secrets.reseal', 'a count of the batch, with where the next one starts'],
  ['inbox.retry', 'a count: items that are retried are not read'],
]);

interface Command {
  readonly name: string;
  readonly verb: string;
  readonly symbol: ts.Symbol;
  readonly result: string;
}

const COMMANDS = [...operatorMethods(surface)].map(([name, symbol]) => describeCommand(name, symbol));

function describeCommand(name: string, symbol: ts.Symbol): Command {
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  if (signature === undefined) throw new Error(`${name} is not a command.`);
  const result = checker.typeToString(
    signature.getReturnType(),
    undefined,
    ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope,
  );
  return { name, verb: verbOf(symbol.name), symbol, result };
}

function namesOf(commands: readonly Command[]): readonly string[] {
  return commands.map(({ name }) => name);
}

test('every group of the operator is read', () => {
  expect(COMMANDS.length).toBeGreaterThan(90);
});

describe('a command whose name starts with `list`', () => {
  const lists = COMMANDS.filter(({ verb }) => verb === 'list');

  test('returns a `Page`, and no other command does', () => {
    const isPage = ({ result }: Command) => result.startsWith('Promise<Page<');
    expect(namesOf(COMMANDS.filter(isPage))).toEqual(namesOf(lists));
  });

  test('says its order and its default limit in the first sentence of its doc comment', () => {
    const vague = lists.filter(({ symbol }) => {
      const sentence = firstSentenceOf(symbol, checker);
      const hasOrder = / first\b| in the order of /.test(sentence);
      return !hasOrder || !sentence.includes(` ${LIST_LIMIT.default} by default`);
    });
    expect(namesOf(vague)).toEqual([]);
  });

  test('has an iterator of the same rows beside it', () => {
    const iterated = COMMANDS.filter(({ verb }) => verb === 'each');
    const rowOf = ({ result }: Command) => /<(\w+)>+$/.exec(result)?.[1];
    const expected = lists.map((list) => [
      list.name.replace(/\.list(.*?)s?$/, (_, rest: string) => `.each${rest}`),
      rowOf(list),
    ]);
    const found = iterated.map((each) => [each.name, rowOf(each)]);
    expect(found.sort()).toEqual(expected.sort());
  });
});

test('a command that returns a list without pages says what bounds it', () => {
  const unpaged = COMMANDS.filter(({ result }) => /^Promise<readonly .*\[\]>$/.test(result));
  const unbounded = unpaged.filter(
    ({ symbol }) => !/ at most | several /.test(` ${firstSentenceOf(symbol, checker)}`),
  );
  expect(namesOf(unbounded)).toEqual([]);
  expect(namesOf(unpaged)).toContain('inbox.take');
});

test('one type of pages is exported', () => {
  const pages = EXPORTS.filter(({ flags }) => (flags & ts.SymbolFlags.Interface) !== 0).filter((symbol) =>
    checker.getDeclaredTypeOfSymbol(symbol).getProperty('nextCursor'),
  );
  expect(pages.map(({ name }) => name)).toEqual(['Page']);
});

test('only `find` returns null', () => {
  const nullable = COMMANDS.filter(({ result }) => / \| null>$/.test(result));
  expect(namesOf(nullable.filter(({ verb }) => verb !== 'find'))).toEqual([]);
});

test('what changes something returns what it changed, and whether it did', () => {
  const changing = COMMANDS.filter(
    ({ name, verb }) => ACTS.some((act) => act === name) && !CREATING.has(verb),
  );
  const silent = changing.filter(({ symbol }) => !saysWhetherChanged(symbol));
  expect(namesOf(silent).toSorted()).toEqual([...WITHOUT_CHANGED.keys()].toSorted());
  expect(changing.length - silent.length).toBeGreaterThan(20);
});

/** Also of each row, where a list changes. */
function saysWhetherChanged(command: ts.Symbol): boolean {
  const [signature] = checker.getTypeOfSymbol(command).getCallSignatures();
  const awaited = signature && checker.getAwaitedType(signature.getReturnType());
  if (awaited === undefined) return false;
  // The result of a command that takes one input or many is either.
  const result = checker.getBaseConstraintOfType(awaited) ?? awaited;
  return (result.isUnion() ? result.types : [result]).every((type) => {
    const row = checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type;
    return checker.getPropertyOfType(row, 'changed') !== undefined;
  });
}

test('a doc comment starts with a sentence that the API report shows', () => {
  const silent = COMMANDS.filter(({ symbol }) => firstSentenceOf(symbol, checker) === '');
  expect(namesOf(silent)).toEqual([]);
});

test.each([
  ['applications.decide', 'Hires'],
  ['deliveries.resend', 'Resends'],
  ['requests.find', 'Explains'],
  ['inbox.acknowledge', 'Confirms'],
  ['operations.stop', 'cancels'],
  ['system.status', 'health'],
  ['timelines.find', 'news'],
])('the first sentence of %s has the word that readers look for: %s', (name, word) => {
  const command = COMMANDS.find((each) => each.name === name);
  expect(firstSentenceOf(command?.symbol, checker)).toContain(word);
});
