import type { Guide, GuideBlock, GuideRow } from './guide.js';

/** Writes a page as Markdown. */
export function toMarkdown({ title, blocks }: Guide): string {
  return `${[`# ${title}`, ...blocks.map(writeBlock)].join('\n\n')}\n`;
}

function writeBlock(block: GuideBlock): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'text':
      return block.text;
    case 'shell':
      return `\`\`\`sh\n${block.text}\n\`\`\``;
    case 'table':
      return [block.columns, block.columns.map(() => '---'), ...block.rows].map(writeRow).join('\n');
  }
}

function writeRow(cells: GuideRow): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
