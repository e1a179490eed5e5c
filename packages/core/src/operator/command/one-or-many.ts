import { type Input, type ListRules, list, record, type Shape, type ValueOf } from './input.js';

/** One value, or a list of values. */
export type OneOrMany<Value> = Value | readonly Value[];

/** The result of a command that takes one input or many: one result for each input, in the same order. */
export type ForEach<Given, Result> = Given extends readonly unknown[] ? readonly Result[] : Result;

/** The item of an input that may be a list. `never` if the input is only one value, or only a list. */
export type ItemOf<Value> = [Extract<Value, readonly unknown[]>] extends [never]
  ? never
  : Exclude<Value, readonly unknown[]>;

/** The input of a command that takes one item or many. The command runs once, with all items. */
export interface ManyInput<Item> extends Input<OneOrMany<Item>> {
  readonly takesMany: true;
}

/** An object with these fields, or a list of such objects. */
export function oneOrMany<Fields extends Shape>(
  fields: Fields,
  rules: ListRules<Fields>,
): ManyInput<ValueOf<Fields>> {
  const one = record(fields, rules.itemRules);
  const many = list(fields, rules);
  return {
    fields: one.fields,
    ids: one.ids,
    takesMany: true,
    check: (input) => (Array.isArray(input) ? many : one).check(input),
  };
}

/** Returns the items of an input that may be a list. */
export function asList<Value>(given: OneOrMany<Value>): readonly Value[] {
  return isMany(given) ? given : [given];
}

function isMany<Value>(given: OneOrMany<Value>): given is readonly Value[] {
  return Array.isArray(given);
}

/** Returns the results of a command that ran with a list of items: only one if one item was given. */
export function resultsFor<Item, Result>(
  given: OneOrMany<Item>,
  results: readonly Result[],
): OneOrMany<Result> {
  if (isMany(given)) return results;
  const [result] = results;
  if (result === undefined) throw new Error('Expected one result, got none.');
  return result;
}
