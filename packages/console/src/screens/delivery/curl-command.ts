/** The parts of a command that repeats a delivery. */
export interface CurlParts {
  readonly url: string;
  /** The JSON of the event. */
  readonly body: string;
}

/**
 * Writes a `curl` command that sends an event to an endpoint. The signature is a placeholder: the console does not know
 * the signing secret. People paste the command into a terminal, so no character in it can control the terminal,
 * whatever the database contains.
 */
export function curlCommand({ url, body }: CurlParts): string {
  return [
    // Without this, curl reads {} and [] in a URL as patterns.
    `curl --globoff -X POST ${shellQuoted(printableUrl(url))}`,
    `-H ${shellQuoted('Content-Type: application/json')}`,
    `-H ${shellQuoted('X-Partner-Timestamp: <unix seconds>')}`,
    `-H ${shellQuoted('X-Partner-Signature: t=<unix seconds>,v1=<signature>')}`,
    // Other options for a body read a file if it starts with an @.
    `--data-raw ${shellQuoted(printableJson(body))}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function printableUrl(url: string): string {
  const printable = URL.canParse(url) ? new URL(url).href : encodeURI(url.toWellFormed());
  // A query that the reader may not see. See `hideQuery`.
  return url.endsWith('?…') ? printable.replace(encodeURI('…'), '…') : printable;
}

/**
 * JSON may contain these characters only as white space between tokens, where a space means the same. It may contain
 * the harmful ones only within strings, where an escape means the same.
 */
const WHITE_SPACE = /[\t\n\r]/g;
const HARMFUL = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

function printableJson(json: string): string {
  const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.toWellFormed().replace(WHITE_SPACE, ' ').replace(HARMFUL, escaped);
}
