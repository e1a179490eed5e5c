import { OperatorError } from '@partner-hiring/core';

/** An Express application that something is mounted on, as far as it is looked into. */
export interface MountedOn {
  /** Express 4. */
  readonly _router?: { readonly stack: readonly Layer[] };
  /** Express 5; in Express 4 reading it throws. */
  readonly router?: { readonly stack: readonly Layer[] };
  readonly mountpath?: unknown;
  on(event: 'mount', listener: (parent: MountedOn) => void): unknown;
}

/** A middleware at its path in a router's stack. */
interface Layer {
  readonly name: string;
  readonly handle: { readonly stack?: readonly Layer[] };
  /** The part of a path that the last match took, where `match` itself does not say. */
  readonly path?: string | undefined;
  match(path: string): boolean | { readonly path?: string };
}

/** Express's own body parsers by their functions' names. */
const PARSERS: ReadonlyMap<string, string> = new Map([
  ['jsonParser', 'express.json()'],
  ['urlencodedParser', 'express.urlencoded()'],
  ['rawParser', 'express.raw()'],
  ['textParser', 'express.text()'],
]);

/** How to put it right. */
export const MOUNT_FIRST =
  'Mount it before the body parser, `app.use(partnerHiringExpress(partnerHiring))` and then ' +
  '`app.use(express.json())`, or put the parser on your own routes alone: `app.use("/my-routes", express.json())`. ' +
  'It reads the raw bytes itself, for idempotency compares the bytes that the partner sent.';

/**
 * Refuses to be mounted behind a body parser: what it took cannot be had back. Looks at what was added so
 * far, to the application and later to those that it is mounted on.
 *
 * @throws OperatorError `MISCONFIGURED`.
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

/**
 * The paths that something was mounted at. Patterns have no one path to try: parsers in front of them show with the
 * first body.
 */
export function pathsOf(mountpath: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(mountpath) ? mountpath : [mountpath];
  return paths.filter((path) => typeof path === 'string');
}

/** A parser that a request to the path would pass, in routers among the layers too. */
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
