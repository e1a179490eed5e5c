import { join } from 'node:path';
import type ts from '@typescript/typescript6';
import type { PublicSurface } from './published.js';

/** The methods in the operator's groups by name, such as `jobs.close` and `jobs.each`. */
export function operatorMethods({ checker, exportsOf }: PublicSurface): ReadonlyMap<string, ts.Symbol> {
  const exported = exportsOf(join('packages', 'core', 'src', 'index.ts'));
  const operator = exported.find(({ name }) => name === 'Operator');
  if (operator === undefined) throw new Error('Core does not export Operator.');

  /** A group may be in another one. */
  function methodsIn(group: string, type: ts.Type): readonly (readonly [string, ts.Symbol])[] {
    return type.getProperties().flatMap((symbol) => {
      const name = `${group}.${symbol.name}`;
      const inner = checker.getTypeOfSymbol(symbol);
      return inner.getCallSignatures().length === 0 ? methodsIn(name, inner) : [[name, symbol] as const];
    });
  }

  const groups = checker.getDeclaredTypeOfSymbol(operator).getProperties();
  return new Map(groups.flatMap((group) => methodsIn(group.name, checker.getTypeOfSymbol(group))));
}
