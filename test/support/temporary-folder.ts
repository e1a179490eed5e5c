import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder, which is removed when the test has ended. Returns its real path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'partner-hiring-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
