import type { Socket } from 'node:net';
import { HOSTILE_ANSWERS } from '../hostile-addresses.js';
import { onRequests, startRawServer } from '../raw-server.js';
import type { TestCertificate } from '../self-signed.js';
import { watchConnects } from '../watched-connects.js';

/** What a server sends, or does. */
export type Reply = string | Buffer | ((socket: Socket) => void);

/** The replies to the requests of one download, in their order. After the last, the web sends a résumé. */
export interface Chain {
  readonly title: string;
  /** Where the download starts. */
  readonly url: string;
  readonly replies: readonly Reply[];
}

/** Servers at public addresses that send a download from one to the next. */
export type RedirectingWeb = Awaited<ReturnType<typeof startRedirectingWeb>>;

/** The addresses of the servers. */
export const WEB_ADDRESSES: readonly string[] = ['93.184.215.14', '2606:4700:4700::1111'];
/** Names that a certificate must have. */
export const WEB_NAMES = '*.site.test';

/** A part of every query. It must not be in any log. */
export const HIDDEN = 'hidden-signature';

/** The ports of all targets that the chains name. */
const PORTS = [80, 443, 6379, 8080];

/** A request that belongs to no chain. */
const STRAY = '-1';

/** The URL of a chain's step. Each step has a name and a query of its own. */
export function stepUrl(scheme: string, chain: number, step: number, port = ''): string {
  return `${scheme}://step${step}-${chain}.site.test${port}/${chain}/${step}/cv.pdf?${HIDDEN}=${chain}.${step}`;
}

/**
 * Starts the web for the test. A name that begins with `turning` has a forbidden address from its second lookup on.
 */
export async function startRedirectingWeb(chains: readonly Chain[], certificate: TestCertificate) {
  const heads: string[] = [];
  const counts = new Map<number, number>();
  const lookups = new Map<string, number>();

  function serve(socket: Socket): void {
    onRequests(socket, ({ head }) => {
      heads.push(head);
      const [, chain = STRAY, step = ''] = /^GET \/(\d+)\/(\d+)\//.exec(head) ?? [];
      counts.set(Number(chain), (counts.get(Number(chain)) ?? 0) + 1);
      const reply = chains[Number(chain)]?.replies[Number(step)] ?? RESUME;
      if (typeof reply === 'function') reply(socket);
      else socket.write(reply);
    });
  }

  const [plain, secure] = [await startRawServer(serve), await startRawServer(serve, certificate)];
  const watched = watchConnects(PORTS, (address, port) => {
    if (!WEB_ADDRESSES.includes(address)) return null;
    return port === 443 ? secure.port : plain.port;
  });
  return {
    ...watched,
    /** The heads of all requests. */
    heads,
    /** The number of requests for a chain. */
    requestsOf: (chain: number) => counts.get(chain) ?? 0,
    /** Looks up a name of the web. A name of the form `hostile<n>.test` has a forbidden address. */
    async resolve(name: string) {
      const [, hostile] = /^hostile(\d+)\.test$/.exec(name) ?? [];
      if (hostile !== undefined) return [HOSTILE_ANSWERS[Number(hostile)] ?? ''];
      if (!/\.(?:site|other)\.test$/.test(name)) return ['127.0.0.1'];
      const before = lookups.get(name) ?? 0;
      lookups.set(name, before + 1);
      if (name.startsWith('turning') && before > 0) return ['10.0.0.1'];
      return WEB_ADDRESSES.slice(before % 2, (before % 2) + 1);
    },
  };
}

/** A file with these headers. */
export function fileReply(headers = 'content-length: 8'): string {
  return `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n%PDF-1.7`;
}

const RESUME = fileReply();

/** A redirect, as bytes of UTF-8, with headers that a client must ignore. */
export function redirectReply(status: number, location: string, more = 'content-length: 0\r\n\r\n'): Buffer {
  const lures = `set-cookie: id=${HIDDEN}\r\nwww-authenticate: Basic\r\nrefresh: 0; url=http://10.0.0.1/`;
  return Buffer.from(`HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\n${lures}\r\n${more}`);
}
