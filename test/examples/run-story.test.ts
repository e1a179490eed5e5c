import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { RUN_BUNDLED } from '../support/programs/run-options.js';

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
