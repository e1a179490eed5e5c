import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeOfTools, programOf } from './program.js';

/** Prism between a client and the service. */
export type Prism = Awaited<ReturnType<typeof startPrism>>;

const START_MS = 60_000;

/** Starts Prism as a validating proxy in front of `upstream`. */
export async function startPrism(document: string, upstream: string) {
  const port = 20_000 + (process.pid % 20_000);
  const args = ['proxy', document, upstream, '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(nodeOfTools(), [programOf('@stoplight/prism-cli/dist/index.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  const listening = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`Prism did not start:\n${output}`)), START_MS);
    child.stdout.on('data', (text: string) => {
      output += text;
      if (!output.includes('Prism is listening')) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', () => reject(new Error(`Prism ended:\n${output}`)));
  });
  await listening;
  return {
    url: `http://127.0.0.1:${port}`,
    /** What the requests and responses so far violate of the document. */
    violations: () => [...output.matchAll(/Violation: (.+)/g)].map(([, text = '']) => text.trim()),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Returns what Prism says that a response violates. It names faults of requests and responses in one header. */
export function faultsOfResponse({ headers }: Response): readonly string[] {
  const faults = JSON.parse(headers.get('sl-violations') ?? '[]') as readonly {
    readonly location: readonly string[];
    readonly message: string;
  }[];
  return faults
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}
