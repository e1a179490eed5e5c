import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { ROOT } from './sources.js';

/** A published package with the sources of its entry points, by the path that a user imports. */
export interface PublishedPackage {
  readonly name: string;
  /** From the project's root. */
  readonly folder: string;
  readonly entries: ReadonlyMap<string, string>;
}

/** The packages that are published, in the order of their names. */
export function publishedPackages(root = ROOT): readonly PublishedPackage[] {
  return readdirSync(join(root, 'packages'))
    .map((folder) => join('packages', folder))
    .filter((folder) => existsSync(join(root, folder, 'src/index.ts')))
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return manifest.private === true
        ? []
        : [{ name: manifest.name, folder, entries: entriesOf(folder, manifest) }];
    });
}

function entriesOf(
  folder: string,
  { name, exports }: { name: string; exports: object },
): PublishedPackage['entries'] {
  const paths = Object.keys(exports).filter((path) => !path.endsWith('.json'));
  return new Map(paths.map((path) => [join(name, path), join(folder, 'src', path, 'index.ts')]));
}

/** The compiler's view of all entry points. */
export type PublicSurface = ReturnType<typeof openPublicSurface>;

/** Compiles the entry points of all published packages. */
export function openPublicSurface(root = ROOT) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const published = publishedPackages(root);
  const entries = published.flatMap((each) => [...each.entries.values()]);
  const program = ts.createProgram(
    entries.map((entry) => join(root, entry)),
    options,
  );
  const checker = program.getTypeChecker();

  function source(entry: string): ts.SourceFile {
    const file = program.getSourceFile(join(root, entry));
    if (file === undefined) throw new Error(`${entry} does not exist.`);
    return file;
  }

  const bundled = readdirSync(join(root, 'packages'))
    .map((folder) => join('packages', folder))
    .filter((folder) => !published.some((each) => each.folder === folder));
  const ofFolders = new Map<string, ReadonlyMap<string, ts.Symbol>>();

  function declaredIn(folder: string): ReadonlyMap<string, ts.Symbol> {
    const known = ofFolders.get(folder);
    if (known !== undefined) return known;
    const start = join(root, folder, 'src/');
    const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(start));
    const symbols = new Map(
      files
        .flatMap(({ statements }) => statements.flatMap(namesIn))
        .flatMap((name) => {
          const symbol = checker.getSymbolAtLocation(name);
          return symbol === undefined ? [] : [[name.text, symbol] as const];
        }),
    );
    ofFolders.set(folder, symbols);
    return symbols;
  }

  return {
    checker,
    source,
    /** What the sources of a package, or of those that are bundled into it, declare under a name, exported or not; or null. */
    declared(folder: string, name: string) {
      const found = [folder, ...bundled].map((each) => declaredIn(each).get(name));
      return found.find((symbol) => symbol !== undefined) ?? null;
    },
    /** The symbols that an entry point exports, each followed to its declaration. */
    exportsOf(entry: string) {
      const module = checker.getSymbolAtLocation(source(entry));
      if (module === undefined) throw new Error(`${entry} exports nothing.`);
      return checker
        .getExportsOfModule(module)
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    },
  };
}

/** The names of what a statement of a module declares: types and constants. */
function namesIn(statement: ts.Statement): readonly ts.Identifier[] {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return [statement.name];
  if (ts.isClassDeclaration(statement)) return statement.name === undefined ? [] : [statement.name];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name] : []));
}
