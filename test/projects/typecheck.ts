/** Checks the types of the projects of their own: `npm run typecheck:projects`. */
import { spawnSync } from 'node:child_process';
import { TSC } from '../compiler/compile-folder.js';
import { installProject, PROJECTS } from './projects.js';

for (const project of PROJECTS) {
  installProject(project);
  const { status } = spawnSync(process.execPath, [TSC, '--project', project], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
