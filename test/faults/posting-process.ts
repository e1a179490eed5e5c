/** Posts to one address and reports the bytes per post that survive minor collections. */
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import { oldBytes } from './stage/old-bytes.js';

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

await postAll();
collect();
const before = oldBytes();
await postAll();
console.log(Math.round((oldBytes() - before) / POSTS));
await transport.close();
