import { OperatorError } from '@partner-hiring/core';

/** The parts of an Express application that the check uses. */
export interface MountedOn {
  /** Express 4. */
  readonly _router?: { readonly stack: readonly Layer[] };
  /** Express 5. Reading it throws in Express 4. */
  readonly router?: { readonly stack: readonly Layer[] };
  readonly mountpath?: unknown;
  on(event: 'mount', listener: (parent: MountedOn) => void): unknown;
}

/** A middleware at its path in a router's stack. */
interface Layer {
  readonly name: string;
  readonly handle: { readonly stack?: readonly Layer[] };
  /** The part of the path that the last match consumed, unless `match` returns it. */
  readonly path?: string | undefined;
  match(path: string): boolean | { readonly path?: string };
}

/** Express's body parsers by function name. */
const PARSERS: ReadonlyMap<string, string> = new Map([
  ['jsonParser', 'express.json()'],
  ['urlencodedParser', 'express.urlencoded()'],
  ['rawParser', 'express.raw()'],
  ['textParser', 'express.text()'],
]);

export const MOUNT_FIRST =
  'Mount it before the body parser, `app.use(partnerHiringExpress(partnerHiring))` and then ' +
  '`app.use(express.json())`, or limit the parser to your own routes: `app.use("/my-routes", express.json())`. ' +
  'It needs the raw bytes, because idempotency compares them.';

/** Throws `MISCONFIGURED` behind a body parser, also when the application is itself mounted later. */
export function refuseBehindParser(parent: MountedOn, mountpath: unknown, below: string): void {
  const paths = pathsOf(mountpath).map((path) => path.replace(/\/$/, '') + below);
  const { stack = [] } = parent._router ?? parent.router ?? {};
  for (const path of paths) {
    const parser = findParser(stack, `${path}/applications`);
    if (parser !== null) {
      throw new OperatorError(
        'MISCONFIGURED',
        `partnerHiringExpress is mounted behind the body parser ${parser}. ${MOUNT_FIRST}`,
      );
    }
  }
  parent.on('mount', (grandparent) => {
    for (const path of paths) refuseBehindParser(grandparent, parent.mountpath, path);
  });
}

/** Returns the mount paths that are strings. For patterns, a parser is detected at the first body. */
export function pathsOf(mountpath: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(mountpath) ? mountpath : [mountpath];
  return paths.filter((path) => typeof path === 'string');
}

/** Finds a parser that a request to the path would pass, including in routers. */
function findParser(stack: readonly Layer[], path: string): string | null {
  for (const layer of stack) {
    const match = layer.match(path);
    if (match === false) continue;
    const parser = PARSERS.get(layer.name);
    if (parser !== undefined) return parser;
    const taken = (typeof match === 'object' ? match.path : layer.path) ?? '';
    const inner = findParser(layer.handle.stack ?? [], path.slice(taken.length) || '/');
    if (inner !== null) return inner;
  }
  return null;
}
