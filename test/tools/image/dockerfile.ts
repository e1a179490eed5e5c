import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';

export const DEPLOY_FOLDER = fileURLToPath(
  new URL('../../../examples/operations/container/', import.meta.url),
);

/** An instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage of a Dockerfile. */
export interface ImageStage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** A `COPY` of a Dockerfile. */
export interface Copy {
  /** The stage to copy from; null for the build context. */
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

/** Reads the stages of the example's Dockerfile. @throws Error for an instruction outside a stage. */
export function readStages(): readonly ImageStage[] {
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const line of readFileSync(join(DEPLOY_FOLDER, 'Dockerfile'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', text = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const [, base = '', as = ''] = /^(\S+) AS (\S+)$/.exec(text) ?? [];
      stages.push({ name: as, base, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined || name === '') throw new Error(`The Dockerfile has this line: ${line}`);
      stage.instructions.push({ name, text });
    }
  }
  return stages;
}

/** Reads the text of a `COPY`. */
export function readCopy(text: string): Copy {
  const words = text.split(' ');
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1] ?? null;
  const paths = from === null ? words : words.slice(1);
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

/** Reads a command in the form of a list, such as `CMD ["node", "api.mjs"]`. */
export function readCommand(stage: ImageStage): readonly string[] {
  const command = stage.instructions.find(({ name }) => name === 'CMD');
  return JSON.parse(command?.text ?? '[]') as readonly string[];
}

/** A service of the compose file, as far as the tests read it. */
export interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly timeout: string };
  readonly stop_grace_period?: string;
}

/** The compose file. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Reads the example's compose file. */
export function readCompose(): ComposeFile {
  return parseYaml(readFileSync(join(DEPLOY_FOLDER, 'compose.yaml'), 'utf8'), { merge: true }) as ComposeFile;
}
