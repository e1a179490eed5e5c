import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { expect, it } from 'vitest';
import { assertWritable, createResumeFolder } from '../../features/resumes/defaults/resume-folder.js';

it('a read-only file system is refused with the option, also if the folder does not exist yet', () => {
  const root = temporaryFolder();
  const refused = (path: string) => {
    expect(path).toBe(root);
    throw Object.assign(new Error('read-only'), { code: 'EROFS' });
  };
  for (const path of [root, join(root, 'a', 'resumes')]) {
    expect(() => assertWritable(path, refused)).toThrow(/cannot be stored in .*\(EROFS\)\. .*`resumeSink`/);
  }
});

it('a file where a folder should be is refused', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'resumes')]) {
    expect(() => assertWritable(path)).toThrow(`${file} is not a folder`);
    expect(() => createResumeFolder(path)).toThrow(expect.objectContaining({ code: 'MISCONFIGURED' }));
  }
});

it('a folder that can be created is accepted, and is not created', () => {
  const root = join(temporaryFolder(), 'resumes');
  expect(() => assertWritable(root)).not.toThrow();
});
