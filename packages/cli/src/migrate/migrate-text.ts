import type { MigrateResult } from './run-migrate.js';

/** Returns the result as text for people; in the mode `sql`, the script itself. Without the last line break. */
export function migrateText({ mode, place, steps, sql }: MigrateResult): string {
  if (sql !== null) return sql.trimEnd();
  if (steps.length === 0) return `${place}: no migration is missing.`;
  const count = `${steps.length} ${steps.length === 1 ? 'migration' : 'migrations'}`;
  const title = mode === 'apply' ? `${place}: applied ${count}.` : `${place}: ${count} missing.`;
  const width = Math.max(...steps.map(({ name }) => name.length));
  const lines = steps.map(({ version, name, isOnline, effect }) => {
    const number = String(version).padStart(VERSION_WIDTH, '0');
    return `${number}  ${name.padEnd(width)}  ${isOnline ? 'online' : 'locks '}  ${effect}`;
  });
  return [title, ...lines].join('\n');
}

/** As in the names of the files. */
const VERSION_WIDTH = 4;
