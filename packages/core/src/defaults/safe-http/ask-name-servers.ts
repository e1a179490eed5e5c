import { Resolver } from 'node:dns/promises';
import type { Resolve } from './resolve-target.js';

/** For each server and question; each further try waits twice as long. Together about half of an attempt's time. */
const FIRST_WAIT_MS = 2_000;
const TRIES = 3;

/**
 * Asks the machine's name servers itself. The operating system's look-up takes one of Node's few threads for as long
 * as it lasts, and cannot be given up: two names whose servers keep silent would hold up every other look-up of the
 * process. Names that are in no name server, such as those of a hosts file, are not found.
 *
 * @param servers - instead of the machine's, for tests: addresses with ports.
 */
export function createNameServerResolve(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // One for each name: a server that kept silent about one is asked for the next as any other. It reads the
    // machine's settings as they are now.
    const resolver = new Resolver({ timeout: FIRST_WAIT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    return [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
  };
}
