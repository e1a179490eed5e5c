import ts from '@typescript/typescript6';
import type { PublicSurface } from './published.js';

/** An optional option: its name, and for one in a group such as `worker`, that of the group before it. */
export type OptionPath = readonly [name: string] | readonly [group: string, name: string];

/** The optional options of each exported function and of each static method of an exported class, by name. */
export function optionsOfFactories(
  entries: readonly string[],
  { checker, exportsOf }: PublicSurface,
): ReadonlyMap<string, readonly OptionPath[]> {
  const found = new Map<string, readonly OptionPath[]>();
  for (const symbol of entries.flatMap((entry) => exportsOf(entry))) {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) continue;
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    if (symbol.flags & ts.SymbolFlags.Function) note(symbol.name, type);
    if (!(symbol.flags & ts.SymbolFlags.Class)) continue;
    for (const method of type.getProperties())
      note(`${symbol.name}.${method.name}`, checker.getTypeOfSymbol(method));
  }
  return found;

  function note(name: string, type: ts.Type): void {
    const parameters = type.getCallSignatures().flatMap((signature) => signature.parameters);
    const paths = parameters.flatMap((parameter) => pathsOf(checker.getTypeOfSymbol(parameter)));
    const distinct = new Map(paths.map((path) => [path.join('.'), path]));
    if (distinct.size > 0) found.set(name, [...distinct.values()]);
  }

  function pathsOf(type: ts.Type): readonly OptionPath[] {
    return optionalIn(type).flatMap((option): readonly OptionPath[] => {
      const ofGroup = checker.getNonNullableType(checker.getTypeOfSymbol(option));
      const isGroup = isOnlyOptional(ofGroup);
      const inGroup = isGroup ? ofGroup.getProperties().map(({ name }) => [option.name, name] as const) : [];
      return [[option.name], ...inGroup];
    });
  }

  /** Of each variant of a union. Inputs of commands are no options. */
  function optionalIn(type: ts.Type): readonly ts.Symbol[] {
    const variants = type.isUnion() ? type.types : [type];
    return variants
      .filter(({ flags }) => (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0)
      .filter((variant) => variant.getCallSignatures().length === 0)
      .flatMap((variant) => variant.getProperties())
      .filter((property) => (property.flags & ts.SymbolFlags.Optional) !== 0 && isOurs(property));
  }

  /** Such as `worker`: an object whose fields all have defaults. */
  function isOnlyOptional(type: ts.Type): boolean {
    if (!(type.flags & ts.TypeFlags.Object) || type.getCallSignatures().length > 0) return false;
    const properties = type.getProperties();
    return properties.length > 0 && properties.every(({ flags }) => (flags & ts.SymbolFlags.Optional) !== 0);
  }
}

function isOurs({ declarations }: ts.Symbol): boolean {
  return (
    declarations?.some((each) => /\/packages\/[\w-]+\/src\//.test(each.getSourceFile().fileName)) === true
  );
}
