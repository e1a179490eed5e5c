/**
 * Plays the whole story over HTTP in half a minute, with a server on a free port and a temporary database.
 * `npm run demo`
 */
import { rm } from 'node:fs/promises';
import { coloured, printError } from './console-output.js';
import { expectEqual, within } from './demo/demo-failure.js';
import { type PartnerReceiver, startPartnerReceiver } from './demo/partner-receiver.js';
import { type PlatformServer, startPlatform } from './demo/platform.js';
import { runStory } from './demo/run-story.js';
import { playStory } from './demo/story.js';
import { createStoryteller } from './demo/storyteller.js';
import { makeTemporaryFolder } from './temporary-folder.js';

/** The time limit of the demo, long enough for a slow machine. */
const WHOLE_DEMO_MS = 55_000;

async function demo(interrupted: Promise<never>): Promise<void> {
  const folder = await makeTemporaryFolder('partner-hiring-demo-');
  const receiver = await startPartnerReceiver();
  const server = startPlatform(folder, receiver.webhookUrl);
  try {
    await within(WHOLE_DEMO_MS, 'The demo', Promise.race([play(server, receiver), interrupted]));
  } catch (error) {
    printError(coloured('dim', `The server printed:\n${server.output()}`));
    throw error;
  } finally {
    await server.stop();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(server: PlatformServer, receiver: PartnerReceiver): Promise<void> {
  const step = createStoryteller();
  const platform = await step('A hiring platform starts', async () => {
    const value = await server.ready();
    receiver.setSecrets(value.signingSecrets);
    return { value, told: value.baseUrl };
  });
  await playStory({ platform, receiver, step });
  await step('The platform stops, gracefully', async () => {
    expectEqual(await server.stop(), 0, "The server's exit code");
    return { value: undefined, told: 'exit code 0' };
  });
}

await runStory(demo, 'The whole story went as it should.');
