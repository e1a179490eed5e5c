import { fileURLToPath } from 'node:url';
import { fencesOf } from '../../docs/fences.js';

/** The folder with a host for each framework. */
export const HOSTS = fileURLToPath(new URL('../hosts/servers', import.meta.url));

/** Rows to begin with. */
export const SEED = fileURLToPath(new URL('../hosts/nest-prisma/seed.ts', import.meta.url));

/** Returns a program of a page. */
export function programOf(page: string, file: string): string {
  const fence = fencesOf(page).find(({ fileName }) => fileName === file);
  if (fence === undefined) throw new Error(`${page} has no program ${file}.`);
  return fence.text;
}
