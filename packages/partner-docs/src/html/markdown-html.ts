import { escapeHtml } from './escape-html.js';

/** Returns the address of a link in the HTML page. */
export type LinkOf = (link: string) => string;

interface Context {
  readonly inline: (text: string) => string;
  readonly anchorOf: (heading: string) => string;
}

interface Block {
  readonly html: string;
  /** The first line after the block. */
  readonly next: number;
}

type ReadBlock = (lines: readonly string[], from: number, context: Context) => Block | null;

/**
 * Returns the HTML of a page's Markdown. It knows the constructs that the pages for partners use: headings, paragraphs, lists of
 * one level, tables, fences, quotes, code, links, bold and emphasis. It escapes everything else.
 * @throws Error if the page has HTML, an image or a nested list, which would otherwise look broken
 */
export function markdownHtml(markdown: string, linkOf: LinkOf = (link) => link): string {
  const lines = markdown.split('\n');
  const context: Context = { inline: (text) => inlineHtml(text, linkOf), anchorOf: createAnchors() };
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    if (lines[at]?.trim() === '') {
      at += 1;
      continue;
    }
    const from = at;
    const block = READERS.map((read) => read(lines, from, context)).find((found) => found !== null);
    if (block === undefined || block === null) throw new Error(`Unknown Markdown: ${lines[at]}`);
    blocks.push(block.html);
    at = block.next;
  }
  return blocks.join('\n');
}

const readFence: ReadBlock = (lines, from) => {
  const fence = /^```(\w*)$/.exec(lines[from] ?? '');
  if (fence === null) return null;
  const end = lines.indexOf('```', from + 1);
  if (end === -1) throw new Error('A fence does not end.');
  const code = escapeHtml(lines.slice(from + 1, end).join('\n'));
  // The style makes what scrolls reachable with the keyboard, so that it needs a tabindex.
  return {
    html: `<div class="fence"><pre tabindex="0"><code>${code}</code></pre></div>`,
    next: end + 1,
  };
};

const readHeading: ReadBlock = (lines, from, { inline, anchorOf }) => {
  const [, marks, text] = /^(#{1,6}) (.+)$/.exec(lines[from] ?? '') ?? [];
  if (marks === undefined || text === undefined) return null;
  const tag = `h${marks.length}`;
  return { html: `<${tag} id="${anchorOf(text)}">${inline(text)}</${tag}>`, next: from + 1 };
};

const readTable: ReadBlock = (lines, from, { inline }) => {
  if (!isRow(lines[from]) || !/^\|(?: ?:?-+:? ?\|)+$/.test(lines[from + 1] ?? '')) return null;
  const next = endOf(lines, from, isRow);
  const row = (tag: 'th' | 'td', line = '') =>
    `<tr>${columnsOf(line)
      .map((column) => `<${tag}>${inline(column)}</${tag}>`)
      .join('')}</tr>`;
  const body = lines.slice(from + 2, next).map((line) => row('td', line));
  return {
    html: `<table>\n<thead>${row('th', lines[from])}</thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>`,
    next,
  };
};

const ITEM = /^(-|\d+\.) +(?:(\[ \]) )?/;

const readList: ReadBlock = (lines, from, { inline }) => {
  const mark = ITEM.exec(lines[from] ?? '')?.[1];
  if (mark === undefined) return null;
  const next = endOf(lines, from, (line) => ITEM.test(line ?? '') || /^ +\S/.test(line ?? ''));
  const items: string[] = [];
  for (const line of lines.slice(from, next)) {
    if (/^ +(?:-|\d+\.) /.test(line)) throw new Error(`Lists have one level: ${line}`);
    if (ITEM.test(line)) items.push(line.replace(ITEM, (_, __, box = '') => (box === '' ? '' : '☐ ')));
    else items.push(`${items.pop()}\n${line.trim()}`);
  }
  const tag = mark === '-' ? 'ul' : 'ol';
  return {
    html: `<${tag}>\n${items.map((item) => `<li>${inline(item)}</li>`).join('\n')}\n</${tag}>`,
    next,
  };
};

const readQuote: ReadBlock = (lines, from, { inline }) => {
  if (!lines[from]?.startsWith('> ')) return null;
  const next = endOf(lines, from, (line) => line?.startsWith('> ') ?? false);
  const text = lines.slice(from, next).map((line) => line.slice(2));
  return { html: `<blockquote>${inline(text.join('\n'))}</blockquote>`, next };
};

const readParagraph: ReadBlock = (lines, from, { inline }) => {
  const isText = (line: string | undefined) => line !== '' && !/^(?:```|#{1,6} |\|)/.test(line ?? '');
  const next = Math.max(endOf(lines, from, isText), from + 1);
  const text = lines.slice(from, next).join('\n');
  if (/^(?:<|!\[)/m.test(text)) throw new Error(`Pages have no HTML and no images: ${text}`);
  return { html: `<p>${inline(text)}</p>`, next };
};

const READERS: readonly ReadBlock[] = [readFence, readHeading, readTable, readList, readQuote, readParagraph];

function endOf(
  lines: readonly string[],
  from: number,
  belongs: (line: string | undefined) => boolean,
): number {
  const end = lines.findIndex((line, at) => at >= from && !belongs(line));
  return end === -1 ? lines.length : end;
}

function isRow(line: string | undefined): boolean {
  return /^\|.*\|$/.test(line ?? '');
}

function columnsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((column) => column.trim().replaceAll('\\|', '|'));
}

/** Code, a link whose text may have code, bold and emphasis, in this order. */
const INLINE = /`([^`]+)`|\[((?:`[^`]*`|[^\]`])+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*|(?<!\w)_([^_]+)_(?!\w)/g;

function inlineHtml(text: string, linkOf: LinkOf): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, link, bold, emphasis] = match;
    html += escapeHtml(text.slice(from, match.index));
    if (code !== undefined) html += `<code>${escapeHtml(code)}</code>`;
    else if (label !== undefined && link !== undefined)
      html += `<a href="${escapeHtml(linkOf(link))}">${inlineHtml(label, linkOf)}</a>`;
    else if (bold !== undefined) html += `<strong>${inlineHtml(bold, linkOf)}</strong>`;
    else html += `<em>${inlineHtml(emphasis ?? '', linkOf)}</em>`;
    from = match.index + whole.length;
  }
  return html + escapeHtml(text.slice(from));
}

/** Derives the anchors of a page from its headings, as GitHub does. Repeated ones are numbered. */
function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const anchor = heading
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let numbered = anchor;
    for (let number = 1; taken.has(numbered); number += 1) numbered = `${anchor}-${number}`;
    taken.add(numbered);
    return numbered;
  };
}
