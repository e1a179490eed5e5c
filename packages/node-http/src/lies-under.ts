import { withoutOrigin } from './without-origin.js';

/**
 * Whether a request target leads to a path or below it, as a router sees it: letter by letter, with
 * percent-encoding taken away. Broken encoding stands for itself. Dot segments are not resolved: `resolveTarget` of core
 * does that first, where it is asked where a target leads in the end.
 */
export function liesUnder(target: string, basePath: string): boolean {
  const [path = ''] = withoutOrigin(target).split(/[?#]/, 1);
  return isAtOrBelow(path, basePath) || isAtOrBelow(decode(path), basePath);
}

function isAtOrBelow(path: string, basePath: string): boolean {
  return path === basePath || path.startsWith(`${basePath}/`);
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
