/** Files of jobs, as a platform exports them for `jobs sync`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';

export interface JobLine {
  readonly id: string;
  readonly title?: string;
  readonly pay?: number;
}

/** Returns one line of a file. */
export function lineOf({ id, title = 'Line Cook', pay }: JobLine): string {
  return JSON.stringify({
    id,
    title,
    company: { id: 'co_bistro', name: 'Bistro Nord' },
    location: { city: 'Reno', state: 'NV', country: 'US' },
    compensation: { max: pay, currency: 'USD' },
  });
}

/** Creates a folder for files of jobs. Returns a function that writes lines to a file there. */
export async function openJobFiles(): Promise<(...lines: readonly (JobLine | string)[]) => Promise<string>> {
  const folder = temporaryFolder();
  let written = 0;
  return async (...lines) => {
    written += 1;
    const file = join(folder, `jobs-${written}.ndjson`);
    const texts = lines.map((line) => `${typeof line === 'string' ? line : lineOf(line)}\n`);
    await writeFile(file, texts.join(''));
    return file;
  };
}
