/** What stands on a page and what is there instead, as the reader would put it in. */
export type Filling = Readonly<Record<string, string>>;

/**
 * Fills a text in, in one walk: what was filled in is the reader's own and is not looked at again, whatever is in it.
 * Of two that begin at the same place, the longer one counts.
 */
export function fillIn(text: string, filling: Filling): string {
  const whats = Object.keys(filling).sort((a, b) => b.length - a.length);
  if (whats.length === 0) return text;
  return text.replace(new RegExp(whats.map(quoted).join('|'), 'g'), (what) => filling[what] ?? what);
}

function quoted(what: string): string {
  return what.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
