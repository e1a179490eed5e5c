import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The folder of the tools. */
export const PROJECT = fileURLToPath(new URL('./', import.meta.url));

/**
 * The Node of the project, because the tools need a newer one than the library. On a system for which it has none, that of
 * this process.
 */
export function nodeOfTools(): string {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/node`);
  } catch {
    return process.execPath;
  }
}

/** The program of a tool, such as `orval/dist/bin/orval.mjs`. */
export function programOf(path: string): string {
  return join(PROJECT, 'node_modules', path);
}

/** Runs a tool and returns what it prints. @throws Error with the output if it fails */
export function runTool(path: string, args: readonly string[], cwd: string): Promise<string> {
  return runProgram([programOf(path), ...args], cwd);
}

/** The same for any program. */
export async function runProgram(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(nodeOfTools(), args, { cwd });
  return stdout;
}
