import { fileURLToPath } from 'node:url';
import { lint, loadConfig, type NormalizedProblem } from '@redocly/openapi-core';

const CONFIG_FILE = fileURLToPath(new URL('../../../redocly.yaml', import.meta.url));

/** Lints a file with Redocly and the rules of `redocly.yaml`. */
export async function lintDocument(file: string): Promise<readonly NormalizedProblem[]> {
  return lint({ ref: file, config: await loadConfig({ configPath: CONFIG_FILE }) });
}
