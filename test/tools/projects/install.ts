/** Installs the packages of projects, unless they are installed: `tsx test/tools/projects/install.ts test/openapi/tools`. */
import { installProject, PROJECTS } from './projects.js';

const names = process.argv.slice(2);
for (const project of PROJECTS) if (names.length === 0 || names.includes(project)) installProject(project);
