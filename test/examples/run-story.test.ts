import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RUN_AS_NPM_DOES, RUN_BUNDLED } from '@partner-hiring/test-support/programs/run-options';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A story that makes something, clears it away, and in which something still waits when it is broken off. */
const STORY = `
import { setTimeout } from 'node:timers/promises';
import { runStory } from './examples/server/demo/run-story.ts';
await runStory(async (interrupted) => {
  console.log('making');
  await setTimeout(500);
  try {
    await Promise.race([setTimeout(600_000), interrupted]);
  } finally {
    console.log('cleared away');
  }
}, 'The end.');
`;

test('a story that is interrupted, also while it sets things up, clears them away and ends at once', async () => {
  const command = [...RUN_BUNDLED, '--input-type=module', '--eval', STORY];
  const story = spawn(process.execPath, command, { cwd: ROOT });
  onTestFinished(() => void story.kill('SIGKILL'));
  const ended = once(story, 'close');
  let said = '';
  for (const stream of [story.stdout, story.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  await once(story.stdout, 'data');
  story.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(said).toBe('making\ncleared away\n✗ Interrupted by SIGINT\n');
});

// The `tsx` command would stand between, and kills what does not tell it of a Ctrl-C within an instant.
test.each([
  ['start', 'server/main.ts'],
  ['operator', 'server/operator.ts'],
  ['demo', 'server/demo.ts'],
  ['platform', 'platform/main.ts'],
])('`npm run %s` leaves it to the program how it ends', (name, program) => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts[name]).toBe(['node', ...RUN_AS_NPM_DOES, `examples/${program}`].join(' '));
});
