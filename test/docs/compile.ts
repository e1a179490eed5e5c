import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { type Compiled, compileFolder } from '../tools/compiler/compile-folder.js';

/**
 * Compiles the programs that `fill` writes into an empty folder, as strictly as our sources, except for the compiler
 * options in `changes`. Returns how many files there are, and the problems of these files as one text.
 */
export function compile(fill: (folder: string) => void, changes: object = {}): Compiled {
  const folder = temporaryFolder();
  fill(folder);
  return compileFolder(folder, changes);
}
