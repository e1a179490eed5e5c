/** The workflows run fixed code of others, and the job that may publish runs nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './sources.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions?: unknown;
  readonly needs?: readonly string[];
  readonly steps: readonly Step[];
}

const FOLDER = join(ROOT, '.github/workflows');
const FILES = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** Returns whether a job can publish: it has a secret, or may sign as this repository. */
function canPublish(job: Job, { permissions }: Workflow): boolean {
  const rights = JSON.stringify(job.permissions ?? permissions ?? 'write-all');
  return /"id-token":"write"|write-all/.test(rights) || JSON.stringify(job).includes('secrets.');
}

test('every action of a workflow is named by the hash of its commit, with the tag as a comment', () => {
  const actions = FILES.flatMap(({ text }) =>
    [...text.matchAll(/^.*\buses:.*$/gm)].map(([line]) => line.trim()),
  );
  expect(actions.length).toBeGreaterThan(0);
  const loose = actions.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line));
  expect(loose).toEqual([]);
});

test('the job that may publish runs no test or build, only what it publishes', () => {
  const jobs = FILES.flatMap(({ text }) => {
    const workflow = parse(text) as Workflow;
    return Object.values(workflow.jobs).filter((job) => canPublish(job, workflow));
  });
  const steps = jobs.flatMap((job) => job.steps);
  expect(jobs.map(({ needs }) => needs)).toEqual([['check', 'pack']]);
  expect(steps.map(({ uses }) => uses?.replace(/@.*/, '')).filter(Boolean)).toEqual([
    'actions/download-artifact',
    'actions/setup-node',
  ]);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
    'for tarball in ./*.tgz; do npm publish "$tarball" --provenance --ignore-scripts; done',
  ]);
});
