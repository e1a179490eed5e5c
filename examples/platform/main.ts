/**
 * A hiring platform with its own tables and the partner API on one pool. Each step is one transaction over both.
 * `npm run platform` uses a PostgreSQL from npm, or yours with `DATABASE_URL`, in temporary schemas.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { DemoFailure, within } from '../server/demo/demo-failure.js';
import { startPartnerReceiver } from '../server/demo/partner-receiver.js';
import { runStory } from '../server/demo/run-story.js';
import { createStoryteller } from '../server/demo/storyteller.js';
import { createApp } from './app.js';
import { openDatabase } from './database/open-database.js';
import { openPlatform, type Platform } from './platform.js';
import { type Cast, playStory } from './story.js';

/** The time limit of the story, long enough for a slow machine. */
const WHOLE_STORY_MS = 55_000;

const step = createStoryteller();

async function run(interrupted: Promise<never>): Promise<void> {
  const database = await step('A database is there', async () => {
    const value = await openDatabase(interrupted);
    return { value, told: value.description };
  });
  const own = `platform_${randomBytes(4).toString('hex')}`;
  const schemas = { own, partner: `${own}_partner_api` };
  try {
    const platform = await openPlatform(database.url, schemas);
    try {
      await serve(platform, schemas.partner, interrupted);
    } finally {
      await platform.close();
    }
  } finally {
    await database.leave(schemas.own, schemas.partner);
  }
}

async function serve(platform: Platform, partnerSchema: string, interrupted: Promise<never>): Promise<void> {
  const receiver = await startPartnerReceiver();
  const staffToken = randomBytes(32).toString('base64url');
  const server = createApp(platform, staffToken).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    platform.partnerHiring.worker.start();
    const story = play({ platform, partnerSchema, receiver, staffToken }, server);
    await within(WHOLE_STORY_MS, 'The story', Promise.race([story, interrupted]));
  } finally {
    server.close();
    await receiver.close();
  }
}

async function play(cast: Omit<Cast, 'step' | 'address'>, server: Server): Promise<void> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new DemoFailure('The server has no port.');
  await playStory({ ...cast, step, address: `http://127.0.0.1:${address.port}` });
}

await runStory(run, 'Everything was committed together, or not at all.');
