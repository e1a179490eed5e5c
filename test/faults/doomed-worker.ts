import type { Doom } from './doom.js';
import { openLocated } from './stage/open-located.js';
import { createWatchedWorker } from './watched-worker.js';

process.once('disconnect', () => process.exit());
process.once('message', async (doom: Doom) => {
  const clock = { now: () => Date.now() + doom.clockAheadMs };
  createWatchedWorker(await openLocated(doom.location, clock), doom).start();
});
process.send?.('ready');
