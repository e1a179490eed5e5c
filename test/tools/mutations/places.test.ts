import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/sources.js';
import { AREAS, nearTests } from './near-tests.js';
import { drawMutations, mutationsOf } from './places.js';

const SOURCE = `
  type Size = 1 | 2;
  export function isOld(age: number): boolean {
    if (age < 3) return false;
    forget(age);
    return age > 4 && true;
  }
`;

function changesOf(text: string): readonly string[] {
  return mutationsOf('file.ts', text).map(({ before, after }) => `${before} → ${after}`);
}

describe('mutations', () => {
  it('break conditions, operators, numbers and calls, but not types', () => {
    expect(changesOf(SOURCE)).toEqual([
      'age < 3 → !(age < 3)',
      '< → <=',
      '3 → (3 + 1)',
      'false → true',
      'forget(age); → ;',
      '&& → ||',
      '> → >=',
      '4 → (4 + 1)',
      'true → false',
    ]);
  });

  it('are the same for the same seed, and different from each other', () => {
    const all = mutationsOf('file.ts', SOURCE);
    const drawn = drawMutations(all, 5, 48);
    expect(drawn).toEqual(drawMutations(all, 5, 48));
    expect(new Set(drawn).size).toBe(5);
    expect(drawMutations(all, 5, 49)).not.toEqual(drawn);
  });

  it('are tried first with tests that exist', () => {
    const paths = AREAS.flatMap(({ tests }) => tests);
    const exists = (path: string) =>
      readdirSync(join(ROOT, dirname(path))).some((name) => name.startsWith(basename(path)));
    expect(paths.filter((path) => !exists(path))).toEqual([]);
    expect(nearTests('packages/core/src/worker/sweep.ts')).toEqual([
      { project: 'sqlite', tests: ['packages/core/src/worker/sweep.'] },
      { project: 'sqlite', tests: ['packages/core/src/worker', 'test/scenarios/worker'] },
    ]);
  });
});
