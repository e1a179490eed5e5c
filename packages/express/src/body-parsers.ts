import { OperatorError } from '@partner-hiring/core';

/** The parts of an Express application that the search for body parsers reads. */
export interface MountedOn {
  /** Express 4. */
  readonly _router?: { readonly stack: readonly Layer[] };
  /** The router of Express 5. Express 4 throws when this property is read. */
  readonly router?: { readonly stack: readonly Layer[] };
  readonly mountpath?: unknown;
  on(event: 'mount', listener: (parent: MountedOn) => void): unknown;
}

/** One entry in a router's stack: a middleware or router with its mount path. */
interface Layer {
  readonly name: string;
  readonly handle: { readonly stack?: readonly Layer[] };
  /**
   * The part of the path that the last match consumed. Some versions of Express return it from `match`
   * instead.
   */
  readonly path?: string | undefined;
  match(path: string): boolean | { readonly path?: string };
}

/** Maps the function name of each Express body parser to the call that creates it. */
const PARSERS: ReadonlyMap<string, string> = new Map([
  ['jsonParser', 'express.json()'],
  ['urlencodedParser', 'express.urlencoded()'],
  ['rawParser', 'express.raw()'],
  ['textParser', 'express.text()'],
]);

export const MOUNT_FIRST =
  'Mount it before the body parser: first `app.use(partnerHiringExpress(partnerHiring))`, then `app.use(express.json())`. ' +
  'Or limit the parser to your own routes: `app.use("/my-routes", express.json())`. ' +
  'The partner API needs the raw bytes, because idempotency compares them.';

/**
 * Throws `MISCONFIGURED` if a body parser runs before the adapter. Checks again when the application is
 * mounted in another one.
 */
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

/** Returns the mount paths that are strings. A mount path can also be a pattern, which this check skips. */
export function pathsOf(mountpath: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(mountpath) ? mountpath : [mountpath];
  return paths.filter((path) => typeof path === 'string');
}

/**
 * Returns the first body parser that a request to this path would run through, or null. Also searches nested
 * routers.
 */
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
