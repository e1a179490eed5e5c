import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './fences.js';

/** An `@example` of a doc comment. */
export interface Example {
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** The line of `@example`, from 1. */
  readonly line: number;
  readonly text: string;
}

const DOC_COMMENT = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;

/** Finds the examples in a file: each goes from `@example` to the next tag or the end of the comment. */
export function examplesIn(file: string, source: string): readonly Example[] {
  return [...source.matchAll(DOC_COMMENT)].flatMap((comment) => {
    const start = source.slice(0, comment.index).split('\n').length;
    const lines = comment[0]
      .replace(/\s*\*\/$/, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\*\*|\*) ?/, ''));
    return lines.flatMap((line, index) => {
      if (!/^\s*@example\b/.test(line)) return [];
      const rest = lines.slice(index + 1);
      const end = rest.findIndex((next) => /^@\w/.test(next));
      const text = rest.slice(0, end === -1 ? rest.length : end).filter((each) => !/^\s*```/.test(each));
      return [{ file, line: start + index, text: `${text.join('\n').trim()}\n` }];
    });
  });
}

/** Finds the examples of all packages that are published. */
export function listExamples(): readonly Example[] {
  return publishedPackages().flatMap((name) => {
    const folder = `packages/${name}/src`;
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .sort()
      .flatMap((path) => examplesIn(`${folder}/${path}`, readFileSync(join(ROOT, folder, path), 'utf8')));
  });
}

function publishedPackages(): readonly string[] {
  return readdirSync(join(ROOT, 'packages')).filter((name) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as {
      private?: boolean;
    };
    return manifest.private !== true;
  });
}
