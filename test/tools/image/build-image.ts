import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { runCommand } from '../matrix/run-command.js';
import { root } from '../packages/manifest.js';
import { DEPLOY_FOLDER, type ImageStage, readCopy, readStages } from './dockerfile.js';

/** A stage of the image that was built in a folder, without Docker. */
export interface BuiltStage {
  /** The folder that stands for `WORKDIR`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Runs the instructions of the Dockerfile up to a stage, each stage in its own folder. The base images, `USER` and
 * `EXPOSE` have no effect.
 */
export async function buildImage(scratch: string, target: string): Promise<BuiltStage> {
  const stages = readStages();
  const built = new Map<string, BuiltStage>();
  for (const stage of stages.slice(0, stages.findIndex(({ name }) => name === target) + 1)) {
    built.set(stage.name, await buildStage(join(scratch, stage.name), stage, built));
  }
  const result = built.get(target);
  if (result === undefined) throw new Error(`The Dockerfile has no stage ${target}.`);
  return result;
}

async function buildStage(
  stageRoot: string,
  { instructions }: ImageStage,
  built: ReadonlyMap<string, BuiltStage>,
): Promise<BuiltStage> {
  let folder = stageRoot;
  const env: Record<string, string> = {};
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') {
      folder = join(stageRoot, text);
      mkdirSync(folder, { recursive: true });
    } else if (name === 'ENV') {
      const [key = '', value = ''] = text.split('=');
      env[key] = value;
    } else if (name === 'COPY') {
      copyInto(stageRoot, folder, text, built);
    } else if (name === 'RUN') {
      await runCommand(folder, { ...process.env, ...env }, 'sh', ['-c', text]);
    } else if (!['USER', 'EXPOSE', 'CMD'].includes(name)) {
      throw new Error(`The test does not know ${name} ${text}.`);
    }
  }
  return { folder, env };
}

function copyInto(
  stageRoot: string,
  folder: string,
  text: string,
  built: ReadonlyMap<string, BuiltStage>,
): void {
  const { from, sources, target } = readCopy(text);
  for (const source of sources) {
    const path = from === null ? join(root, source) : inStage(source, from, built);
    if (!existsSync(path)) throw new Error(`COPY ${text}: ${source} does not exist.`);
    const into = join(target.startsWith('/') ? stageRoot : folder, target);
    const filter = from === null ? (file: string) => !isIgnored(relative(root, file)) : () => true;
    // Like Docker, it copies the content of a folder, but a file under its name if the target ends with a slash.
    const isFolder = statSync(path).isDirectory();
    cpSync(path, !isFolder && target.endsWith('/') ? join(into, basename(path)) : into, {
      recursive: true,
      filter,
    });
  }
}

/** A path of another stage is absolute, and begins with its `WORKDIR`. */
function inStage(path: string, name: string, built: ReadonlyMap<string, BuiltStage>): string {
  const stage = built.get(name);
  if (stage === undefined) throw new Error(`There is no stage ${name}.`);
  const [, workdir = ''] = /^(\/[^/]+)\//.exec(path) ?? [];
  if (!stage.folder.endsWith(workdir)) throw new Error(`${path} is not in the folder of ${name}.`);
  return join(stage.folder, path.slice(workdir.length));
}

const IGNORED = readFileSync(join(DEPLOY_FOLDER, 'Dockerfile.dockerignore'), 'utf8').trim().split('\n');

/** Returns whether the build context lacks a path. Patterns are names, `**` with a name, or `**` with an ending. */
export function isIgnored(path: string): boolean {
  const names = path.split('/');
  return IGNORED.some((pattern) => {
    if (!pattern.startsWith('**/')) return names[0] === pattern;
    const name = pattern.slice(3);
    return names.some((each) => (name.startsWith('*') ? each.endsWith(name.slice(1)) : each === name));
  });
}
