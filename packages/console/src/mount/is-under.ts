/** Returns whether a path is the console's path, or below it. */
export function isUnder(path: string, consolePath: string): boolean {
  return path === consolePath || path.startsWith(`${consolePath}/`);
}

/** Returns the path of a request target. */
export function pathOfTarget(target: string): string {
  const [path = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path;
}
