/**
 * Compares the corpus of file servers with curl: `npm run test:curl`. Each file and name must be what `curl --compressed
 * -OJ` saves, except where the corpus says why a browser does something else.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerOf, type FileServer } from '../../support/network/file-servers/file-server.js';
import { SITES } from '../../support/network/file-servers/sites.js';
import { STORES } from '../../support/network/file-servers/stores.js';

const run = promisify(execFile);

interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Returns what curl saves. Null if it saves nothing. */
async function saveWithCurl(url: string): Promise<Saved | null> {
  const folder = mkdtempSync(join(tmpdir(), 'curl-'));
  try {
    await run('curl', ['--silent', '--compressed', '--max-time', '10', '-OJ', url], { cwd: folder });
    // The name may be in any character set.
    const [name = Buffer.alloc(0)] = readdirSync(folder, { encoding: 'buffer' });
    return {
      name: name.toString(),
      bytes: readFileSync(Buffer.concat([Buffer.from(join(folder, '/')), name])),
    };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw error;
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function isSame(server: FileServer, saved: Saved | null): boolean {
  const { file } = server;
  if (file === null || saved === null) return false;
  const stem = (name: string) => name.replace(/\.[^.]*$/, '');
  return saved.bytes.equals(file.bytes) && (!hasName(server) || stem(saved.name) === stem(file.name));
}

/** Without a name in a header, curl takes it from the link, as we do, but keeps what a link encodes. */
function hasName({ headers, path, notCurl }: FileServer): boolean {
  return (
    notCurl !== undefined ||
    headers.some((line) => /^content-disposition/i.test(String(line))) ||
    path.endsWith('.pdf')
  );
}

const wrong: string[] = [];
const servers = [...STORES, ...SITES].filter(({ file }) => file !== null);
for (const server of servers) {
  const listener = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(answerOf(server)));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const saved = await saveWithCurl(`http://127.0.0.1:${port}${server.path}`);
  listener.close();
  if (isSame(server, saved) !== (server.notCurl === undefined))
    wrong.push(
      `${server.title}: curl saved ${saved === null ? 'nothing' : `${saved.bytes.length} bytes as ${saved.name}`}`,
    );
}
console.log(`${servers.length} servers compared with curl, ${wrong.length} wrong`);
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exitCode = 1;
}
