import ts from '@typescript/typescript6';
import type { PublicSurface } from './published.js';

/**
 * The optional properties of the inputs of an entry point that refuse `undefined`, each as `Type.property file`. Inputs
 * are what hosts pass: to functions that are exported, and to methods of what these return.
 */
export function strictOptionals(
  entry: string,
  { checker, exportsOf }: Omit<PublicSurface, 'declared'>,
): readonly string[] {
  const found = new Set<string>();
  const walked = new Map<ts.Type, 'passed' | 'returned' | 'both'>();
  for (const symbol of exportsOf(entry)) {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined) continue;
    if (symbol.flags & (ts.SymbolFlags.Value & ~ts.SymbolFlags.Class))
      returned(checker.getTypeOfSymbolAtLocation(symbol, declaration));
    if (symbol.flags & ts.SymbolFlags.Class) {
      const of = checker.getTypeOfSymbolAtLocation(symbol, declaration);
      callable(of.getConstructSignatures());
      // Static methods, such as those of a Nest module.
      for (const property of ownProperties(of)) returned(checker.getTypeOfSymbol(property));
    }
  }
  return [...found].sort();

  /** Whether a type is walked this way for the first time. */
  function isNew(type: ts.Type, way: 'passed' | 'returned'): boolean {
    const before = walked.get(type);
    if (before === way || before === 'both') return false;
    walked.set(type, before === undefined ? way : 'both');
    return true;
  }

  function callable(signatures: readonly ts.Signature[]): void {
    for (const signature of signatures) {
      for (const parameter of signature.parameters) passed(checker.getTypeOfSymbol(parameter));
      returned(signature.getReturnType());
    }
  }

  function returned(type: ts.Type): void {
    if (!isNew(type, 'returned')) return;
    if (type.isUnionOrIntersection()) type.types.forEach(returned);
    callable(type.getCallSignatures());
    checker.getTypeArguments(type as ts.TypeReference).forEach(returned);
    for (const property of ownProperties(type)) returned(checker.getTypeOfSymbol(property));
  }

  function passed(type: ts.Type): void {
    const constraint = type.isTypeParameter() ? type.getConstraint() : undefined;
    if (constraint !== undefined) passed(constraint);
    if (!isNew(type, 'passed')) return;
    if (type.isUnionOrIntersection()) type.types.forEach(passed);
    if (checker.isArrayType(type) || checker.isTupleType(type))
      checker.getTypeArguments(type as ts.TypeReference).forEach(passed);
    for (const property of ownProperties(type)) {
      const of = checker.getTypeOfSymbol(property);
      if (property.flags & ts.SymbolFlags.Optional && !takesUndefined(of)) found.add(nameOf(property));
      passed(of);
    }
  }

  /** The properties that are declared in a package of ours. Hosts do not call a storage, so its properties are left out. */
  function ownProperties(type: ts.Type): readonly ts.Symbol[] {
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return [];
    if (type.symbol?.declarations?.some(isOfStorage) === true) return [];
    return type.getProperties().filter(({ declarations }) => declarations?.some(isOurs) === true);
  }

  /** The compiler tells `undefined` from what is missing: only one of both is in the type of an optional property. */
  function takesUndefined(type: ts.Type): boolean {
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.Never)) return true;
    const parts = type.isUnion() ? type.types : [type];
    return parts.includes(checker.getUndefinedType());
  }
}

function isOurs(declaration: ts.Declaration): boolean {
  return /\/packages\/[\w-]+\/src\//.test(declaration.getSourceFile().fileName);
}

function isOfStorage(declaration: ts.Declaration): boolean {
  return /\/core\/src\/ports\/(?:storage\.ts|repositories\/)/.test(declaration.getSourceFile().fileName);
}

function nameOf(property: ts.Symbol): string {
  const declaration = property.declarations?.[0];
  const parent = declaration?.parent;
  const owner =
    parent !== undefined && (ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent))
      ? (parent.name?.text ?? '')
      : 'an object';
  const file = declaration?.getSourceFile().fileName.replace(/.*\/packages\//, '') ?? '';
  return `${owner}.${property.name} of ${file}`;
}
