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
