import { createProject, type Running, run } from './project.js';

/** A running project outside the repository. */
export interface Outside extends Pick<Running, 'output' | 'waitFor'> {
  readonly folder: string;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Creates a project of these sources, as {@link createProject} does, and runs `npm start` there. */
export async function startOutside(
  sources: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outside> {
  const { folder, remove } = await createProject(sources);
  const { output, waitFor, stop } = run(['npm', 'start'], { cwd: folder, env });
  return {
    folder,
    output,
    waitFor,
    stop: async () => {
      await stop();
      remove();
    },
  };
}
