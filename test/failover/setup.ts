import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';

/** Each test starts servers of its own. */
export default function setup(project: TestProject): void {
  project.provide('postgresRun', `test_${randomBytes(4).toString('hex')}`);
}
