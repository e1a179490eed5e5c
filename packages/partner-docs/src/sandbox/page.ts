import { hash } from 'node:crypto';

/** Backticks in texts mark code. */
export interface Guide {
  readonly title: string;
  readonly blocks: readonly GuideBlock[];
}

type GuideBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly GuideRow[] }
  | { readonly kind: 'shell'; readonly text: string };

export type GuideRow = readonly string[];

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
@media (max-width: 40rem) {
  body { margin: 1rem auto; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid #8886; padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; }
  code { white-space: normal; overflow-wrap: anywhere; }
}
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  // Allows the page's empty `data:` icon. Without an icon, browsers would request one from the server.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Browsers accept `frame-ancestors` only in a header. */
export const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

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
${blocks.map(htmlOf).join('\n')}
</main>
</body>
</html>
`;
}

function htmlOf(block: GuideBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${htmlText(block.text)}</h2>`;
    case 'text':
      return `<p>${htmlText(block.text)}</p>`;
    case 'shell':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'table':
      return `<table>
<thead>${htmlRow('th', block.columns)}</thead>
<tbody>
${block.rows.map((row) => htmlRow('td', row)).join('\n')}
</tbody>
</table>`;
  }
}

function htmlRow(tag: 'th' | 'td', row: GuideRow): string {
  return `<tr>${row.map((text) => `<${tag}>${htmlText(text)}</${tag}>`).join('')}</tr>`;
}

function htmlText(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

export function toMarkdown({ title, blocks }: Guide): string {
  return `${[`# ${title}`, ...blocks.map(markdownOf)].join('\n\n')}\n`;
}

function markdownOf(block: GuideBlock): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'text':
      return block.text;
    case 'shell':
      return `\`\`\`sh\n${block.text}\n\`\`\``;
    case 'table':
      return [block.columns, block.columns.map(() => '---'), ...block.rows].map(markdownRow).join('\n');
  }
}

function markdownRow(row: GuideRow): string {
  return `| ${row.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}
