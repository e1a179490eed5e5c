import { hash } from 'node:crypto';
import { SCRIPT, STYLE } from './page-style.js';

interface MenuEntry {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

interface HtmlPage {
  readonly title: string;
  /** Empty for a page that stands alone. */
  readonly menu: readonly MenuEntry[];
  readonly main: string;
}

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
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

/** Returns a page that needs no other file. Serve it with {@link HTML_HEADERS}. */
export function htmlPage({ title, menu, main }: HtmlPage): string {
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
${menuHtml(menu)}<main>
${main}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function menuHtml(menu: readonly MenuEntry[]): string {
  if (menu.length === 0) return '';
  const entries = menu.map(({ title, href, isCurrent }) => {
    const current = isCurrent ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(href)}"${current}>${escapeHtml(title)}</a></li>`;
  });
  return `<nav aria-label="Documentation"><ul>\n${entries.join('\n')}\n</ul></nav>\n`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
