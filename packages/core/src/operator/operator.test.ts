import { expect, it } from 'vitest';
import { createOperatorOf } from '../features/commands.js';
import { FEATURES } from '../features/features.js';
import type { OperatorOptions } from './operator.js';

/** An operator that notes each group of endpoint commands that it makes. Their storage is not used. */
function openOperator() {
  const made: unknown[] = [];
  const options = { storage: { direct: {}, within: () => ({}) } } as unknown as OperatorOptions<'tx'>;
  const { operator } = createOperatorOf(options, FEATURES, {
    observeEndpoints(commands) {
      made.push(commands);
      return commands;
    },
  });
  return { operator, made };
}

it('makes the commands of a group when the group is first used, and once', () => {
  const { operator, made } = openOperator();
  const ada = operator.as({ id: 'user_ada' });
  operator.within('tx').as({ id: 'user_ada' });
  expect([typeof ada.jobs.close, made.length]).toEqual(['function', 0]);
  expect(ada.endpoints).toBe(ada.endpoints);
  expect(made).toEqual([ada.endpoints]);
});

it('observes the endpoint commands of each actor, also in a transaction of the host', () => {
  const { operator, made } = openOperator();
  const within = operator.within('tx');
  const all = [operator, operator.as({ id: 'user_ada' }), within, within.as({ id: 'user_ada' })];
  const endpoints = all.map((each) => each.endpoints);
  expect(new Set(endpoints).size).toBe(4);
  expect(made).toEqual(endpoints);
});

it('lists its groups with its own methods, so that a host can copy it', () => {
  const { operator } = openOperator();
  expect(Object.keys(operator)).toEqual(expect.arrayContaining(['jobs', 'endpoints', 'within', 'as']));
  expect({ ...operator }.jobs).toBe(operator.jobs);
});
