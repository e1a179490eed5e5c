/** Posts to one address and reports the bytes per post that survive minor collections. */
import { getHeapSpaceStatistics } from 'node:v8';
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';

const [url = ''] = process.argv.slice(2);
const POSTS = 2_000;
/** Posts per minor collection. */
const AT_ONCE = 20;

const transport = createSafeTransport({ allowPrivateNetworks: true, allowPlainHttp: true });
const { gc } = globalThis;
if (gc === undefined) throw new Error('Run this process with --expose-gc.');
const collect = gc;

async function postAll(): Promise<void> {
  for (let done = 0; done < POSTS; done += AT_ONCE) {
    const posts = Array.from({ length: AT_ONCE }, () => transport.post({ url, headers: {}, body: '{}' }));
    await Promise.all(posts);
    collect({ type: 'minor' });
  }
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  if (old === undefined) throw new Error('This engine has no old generation.');
  return old.space_used_size;
}

await postAll();
collect();
const before = oldBytes();
await postAll();
console.log(Math.round((oldBytes() - before) / POSTS));
await transport.close();
