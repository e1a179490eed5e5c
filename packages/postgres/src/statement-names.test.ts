import { describe, expect, it } from 'vitest';
import { createStatementNames } from './statement-names.js';

describe('the name of a prepared statement', () => {
  it('is the same on every connection, and differs between statements', () => {
    const { nameOf } = createStatementNames();
    expect(nameOf({}, 'select 1')).toBe(nameOf({}, 'select 1'));
    expect(nameOf({}, 'select 1')).not.toBe(nameOf({}, 'select 2'));
  });

  it('fits the longest name of the server', () => {
    expect(createStatementNames().nameOf({}, 'select 1').length).toBeLessThan(64);
  });

  it('changes after 4, 16, 64, … runs on its connection, up to a maximum', () => {
    const { nameOf } = createStatementNames();
    const connection = {};
    const changedAt: number[] = [];
    let last = nameOf(connection, 'select 1');
    for (let run = 2; run <= 100_000; run += 1) {
      const name = nameOf(connection, 'select 1');
      if (name !== last) changedAt.push(run);
      last = name;
    }
    expect(changedAt).toEqual([4, 16, 64, 256, 1_024, 4_096]);
  });

  it('is new after all statements of a connection are renewed, and unchanged on others', () => {
    const { nameOf, renew } = createStatementNames();
    const [connection, other] = [{}, {}];
    const namesOf = () => Array.from({ length: 5_000 }, () => nameOf(connection, 'select 1'));
    const before = new Set(namesOf());
    for (const statement of ['select 1', 'select 2']) nameOf(other, statement);
    renew(connection);
    expect([...new Set(namesOf())].filter((name) => before.has(name))).toEqual([]);
    expect(before).toContain(nameOf(other, 'select 1'));
  });

  it('is new after one statement is renewed, and unchanged for others', () => {
    const { nameOf, renew, renewOne } = createStatementNames();
    const [connection, other] = [{}, {}];
    const kept = nameOf(other, 'select 2');
    const had = new Set<string>();
    for (const again of [renewOne, renewOne, renew, renewOne]) {
      const name = nameOf(connection, 'select 1');
      expect(had).not.toContain(name);
      had.add(name);
      again(connection, 'select 1');
    }
    renewOne(other, 'select 1');
    expect(nameOf(other, 'select 2')).toBe(kept);
    expect(had).not.toContain(nameOf(connection, 'select 1'));
  });
});
