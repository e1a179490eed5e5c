/** Texts of a page, each with its replacement. */
export type Filling = Readonly<Record<string, string>>;

/** Replaces all texts in one pass, so replacements are not replaced again. Of two matches, the longer one counts. */
export function fillIn(text: string, filling: Filling): string {
  const whats = Object.keys(filling).sort((a, b) => b.length - a.length);
  if (whats.length === 0) return text;
  return text.replace(new RegExp(whats.map(quoted).join('|'), 'g'), (what) => filling[what] ?? what);
}

function quoted(what: string): string {
  return what.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
