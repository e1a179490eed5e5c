import { misconfiguration } from '../errors.js';

/** Longer than any path of a real proxy. It ends up in every link of a page. */
const MAX_LENGTH = 200;
const FORM = /^(?:\/[A-Za-z0-9._~-]+)+$/;
/** Browsers resolve such segments in links, but not in the paths of cookies. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

/** Returns whether a text can be the path that a proxy removes, such as `/hiring`. */
export function isPublicPath(text: string): boolean {
  return text.length <= MAX_LENGTH && FORM.test(text) && !DOTS.test(text);
}

/**
 * Validates the option `publicPath` of a factory, which adds `path` itself. Null without one.
 * @throws OperatorError `MISCONFIGURED`
 */
export function readPublicPath(maker: string, given: string | undefined, path: string): string | null {
  if (given === undefined) return null;
  const isPath = typeof given === 'string' && isPublicPath(given);
  if (isPath && !given.endsWith(path)) return given;
  throw misconfiguration(
    `${maker}: \`publicPath\` must be the path that your proxy removes, such as "/hiring", without ` +
      `"${path}" and without a slash at its end, with at most ${MAX_LENGTH} letters, digits and \`-._~\`.`,
  );
}

/** Returns the path that a proxy removed from a request. Empty if it removed none. */
export type PrefixReader = (header: string | null, isTrusted: () => boolean) => string;

/**
 * Creates a reader of `X-Forwarded-Prefix`. The option `publicPath` wins. The reader ignores the header of a proxy that
 * the server does not trust, and a malformed one, and warns of each once.
 * @param warn - reports the problem and its fix.
 */
export function createPrefixReader(publicPath: string | null, warn: (message: string) => void): PrefixReader {
  if (publicPath !== null) return () => publicPath;
  const warned = new Set<string>();
  return (header, isTrusted) => {
    if (header === null) return '';
    const problem = problemOf(header, isTrusted());
    if (problem === null) return header;
    if (!warned.has(problem)) warn(`X-Forwarded-Prefix was ignored: ${problem}`);
    warned.add(problem);
    return '';
  };
}

function problemOf(header: string, isTrusted: boolean): string | null {
  if (!isTrusted) {
    return (
      'the server does not trust who sent it. Set `trust proxy` of Express or `trustProxy` of Fastify to your proxy, and let ' +
      'the proxy send X-Forwarded-For too. Or set the option `publicPath`.'
    );
  }
  return isPublicPath(header)
    ? null
    : `it must be a path such as /hiring, without a slash at its end, with at most ${MAX_LENGTH} characters.`;
}
