/** The parts of a command that repeats a delivery. */
export interface CurlParts {
  readonly url: string;
  readonly body: string;
}

/**
 * Writes a `curl` command that sends an event to an endpoint. The signature is a placeholder: the console does not know the
 * signing secret.
 */
export function curlCommand({ url, body }: CurlParts): string {
  return [
    `curl -X POST ${shellQuoted(url)}`,
    `-H ${shellQuoted('Content-Type: application/json')}`,
    `-H ${shellQuoted('X-Partner-Timestamp: <unix seconds>')}`,
    `-H ${shellQuoted('X-Partner-Signature: t=<unix seconds>,v1=<signature>')}`,
    `--data-binary ${shellQuoted(body)}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
