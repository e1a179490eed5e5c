import type { Child } from 'hono/jsx';
import { jsx } from 'hono/jsx';

/** Elements that only a screen has. */
const CONTROLS = /<(button|select|script|svg)\b[^>]*>.*?<\/\1>|<input\b[^>]*>/gs;
const INSTANT = /<time\b[^>]*\bdatetime="([^"]*)"[^>]*>.*?<\/time>/gs;
/** An id that is shown by its end has the whole id as its title. */
const SHORTENED = /<(code|small)\b[^>]*\btitle="([^"]*)"[^>]*>.*?<\/\1>/gs;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/**
 * Returns what a cell says, as text: instants as ISO 8601, ids whole, no buttons. Empty if the cell says that there is
 * nothing.
 */
export async function cellText(content: Child): Promise<string> {
  const html = String(await jsx('span', {}, content as never).toString());
  const text = html
    .replace(CONTROLS, ' ')
    .replace(INSTANT, ' $1 ')
    .replace(SHORTENED, ' $2 ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
  return text === '–' ? '' : text;
}
