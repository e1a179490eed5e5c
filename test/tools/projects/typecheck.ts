/** Checks the types of the projects of their own: `npm run typecheck:projects`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TSC } from '../compiler/compile-folder.js';
import { installProject, PROJECTS } from './projects.js';

for (const project of PROJECTS.filter((folder) => existsSync(join(folder, 'tsconfig.json')))) {
  installProject(project);
  const { status } = spawnSync(process.execPath, [TSC, '--project', project], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
