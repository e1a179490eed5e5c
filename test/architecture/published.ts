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
export function publishedPackages(): readonly PublishedPackage[] {
  return readdirSync(join(ROOT, 'packages'))
    .map((folder) => join('packages', folder))
    .filter((folder) => existsSync(join(ROOT, folder, 'src/index.ts')))
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
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
export interface PublicSurface {
  readonly checker: ts.TypeChecker;
  /** The symbols that an entry point exports, each followed to its declaration. */
  exportsOf(entry: string): readonly ts.Symbol[];
  source(entry: string): ts.SourceFile;
}

/** Compiles the entry points of all published packages. */
export function openPublicSurface(): PublicSurface {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const entries = publishedPackages().flatMap(({ entries }) => [...entries.values()]);
  const program = ts.createProgram(
    entries.map((entry) => join(ROOT, entry)),
    options,
  );
  const checker = program.getTypeChecker();

  function source(entry: string): ts.SourceFile {
    const file = program.getSourceFile(join(ROOT, entry));
    if (file === undefined) throw new Error(`${entry} does not exist.`);
    return file;
  }

  return {
    checker,
    source,
    exportsOf(entry) {
      const module = checker.getSymbolAtLocation(source(entry));
      if (module === undefined) throw new Error(`${entry} exports nothing.`);
      return checker
        .getExportsOfModule(module)
        .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    },
  };
}
