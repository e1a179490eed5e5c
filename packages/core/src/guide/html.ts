import { hash } from 'node:crypto';
import type { Guide, GuideBlock, GuideRow } from './guide.js';

/** Dark or light as the reader has it; nothing is loaded from anywhere. */
const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
code, pre { font: .9em ui-monospace, monospace; background: #8882; border-radius: .25rem; }
code { padding: .1em .25em; white-space: nowrap; }
td:last-child code { white-space: normal; overflow-wrap: anywhere; }
main { overflow-x: auto; }
pre { padding: .75rem; overflow-x: auto; }
`;

/** What a page needs, and nothing more: a script that got into it would not run. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  // The icon of nothing, without which a browser asks for one.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The header fields that a page is served with. Browsers take `frame-ancestors` from a header only. */
export const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Writes a page as HTML that needs nothing else. */
export function toHtml({ title, blocks }: Guide): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${blocks.map(writeBlock).join('\n')}
</main>
</body>
</html>
`;
}

function writeBlock(block: GuideBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${writeText(block.text)}</h2>`;
    case 'text':
      return `<p>${writeText(block.text)}</p>`;
    case 'shell':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'table':
      return `<table>
<thead>${writeRow('th', block.columns)}</thead>
<tbody>
${block.rows.map((row) => writeRow('td', row)).join('\n')}
</tbody>
</table>`;
  }
}

function writeRow(tag: 'th' | 'td', cells: GuideRow): string {
  return `<tr>${cells.map((cell) => `<${tag}>${writeText(cell)}</${tag}>`).join('')}</tr>`;
}

function writeText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
