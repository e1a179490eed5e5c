/** No attempt begins on a connection that is older than a minute. */
import { createLocalTransport } from '@partner-hiring/test-support/network/local-transport';
import { onRequests, startAnswering, startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { createSelfSigned } from '@partner-hiring/test-support/network/self-signed';
import { watchConnects } from '@partner-hiring/test-support/network/watched-connects';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSafeTransport } from './safe-transport.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const ANSWERED = { kind: 'answered', status: 200, excerpt: 'ok' };
const FIRST = '93.184.215.14';
const SECOND = '93.184.215.15';

/** Returns a function that sets the clock of `performance` forward. */
function holdClock(): (ms: number) => void {
  const real = performance.now.bind(performance);
  let aheadMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => real() + aheadMs);
  return (ms) => {
    aheadMs += ms;
  };
}

describe('a kept connection', () => {
  /** A name at a first address, under the load of several attempts at a time. */
  async function startMovingName() {
    const [before, after] = [await startAnswering(OK), await startAnswering(OK)];
    watchConnects([], (address) => (address === FIRST ? before.port : after.port));
    let address = FIRST;
    const transport = createLocalTransport({
      allowPrivateNetworks: false,
      resolve: async () => [address],
    });
    const request = { url: 'http://moving.test/', headers: {}, body: '{}' };
    return {
      before,
      after,
      move: () => {
        address = SECOND;
      },
      post: async () => {
        const posts = Array.from({ length: 5 }, () => transport.post(request));
        expect(await Promise.all(posts)).toEqual(Array(5).fill(ANSWERED));
      },
    };
  }

  it('follows a name that moves under load, within a minute', async () => {
    const advance = holdClock();
    const { before, after, move, post } = await startMovingName();
    await post();
    move();
    for (let passedMs = 0; passedMs < 60_000; passedMs += 2_000) {
      expect(after.connections()).toBe(0);
      await post();
      advance(2_000);
    }
    advance(1_000);
    await post();
    expect([before.connections(), after.connections()]).toEqual([5, 5]);
    await expect.poll(() => before.openConnections()).toBe(0);
  });

  it('is younger than a minute whenever an attempt begins', async () => {
    const advance = holdClock();
    const opened: number[] = [];
    const ages: number[] = [];
    const server = await startRawServer((socket) => {
      const openedAt = performance.now();
      opened.push(openedAt);
      onRequests(socket, () => {
        ages.push(performance.now() - openedAt);
        socket.write(OK);
      });
    });
    const transport = createLocalTransport();
    for (let count = 0; count < 200; count += 1) {
      await transport.post({ url: server.url, headers: {}, body: '{}' });
      advance(1_700);
    }
    expect(Math.max(...ages)).toBeLessThanOrEqual(60_000);
    expect(opened.length).toBeLessThanOrEqual(7);
    await expect.poll(() => server.openConnections()).toBe(1);
  });

  it('does not outlive a replaced certificate by more than a minute', async () => {
    const advance = holdClock();
    const [good, bad] = [await createSelfSigned(['hooks.test']), await createSelfSigned(['other.test'])];
    const [first, replaced] = [await startAnswering(OK, good), await startAnswering(OK, bad)];
    let { port } = first;
    watchConnects([], () => port);
    const transport = createSafeTransport({ ca: `${good.cert}\n${bad.cert}`, resolve: async () => [FIRST] });
    onTestFinished(() => transport.close());
    const post = () => transport.post({ url: 'https://hooks.test/', headers: {}, body: '{}' });
    expect(await post()).toEqual(ANSWERED);
    port = replaced.port;
    advance(59_000);
    expect(await post()).toEqual(ANSWERED);
    advance(2_000);
    expect(await post()).toMatchObject({ failure: 'tls_failed' });
  });
});
