import { withoutOrigin } from '@partner-hiring/node-http';

/**
 * Whether a request target leads to a path or below it, as a router sees it: letter by letter, with
 * percent-encoding taken away. Broken encoding stands for itself.
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
