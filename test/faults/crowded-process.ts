/** A process that posts more than its connection limit at once, then sequentially. */
import { createSafeTransport } from '../../packages/core/src/defaults/safe-transport.js';
import { NetworkUnavailable } from '../../packages/core/src/errors.js';

const [url = ''] = process.argv.slice(2);
const AT_ONCE = 100;
const IN_TURN = 5;

const transport = createSafeTransport({ allowPrivateNetworks: true, allowPlainHttp: true });

async function post(): Promise<string> {
  try {
    const outcome = await transport.post({ url, headers: {}, body: '{}' });
    return outcome.kind === 'answered' ? 'answered' : outcome.message;
  } catch (error) {
    if (error instanceof NetworkUnavailable) return 'unavailable';
    throw error;
  }
}

const atOnce = await Promise.all(Array.from({ length: AT_ONCE }, post));
const inTurn: string[] = [];
for (let done = 0; done < IN_TURN; done += 1) inTurn.push(await post());
console.log(JSON.stringify({ atOnce, inTurn }));
await transport.close();
