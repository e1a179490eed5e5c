import type { Timeline } from '@partner-hiring/core';
import type { Report } from '../command/command.js';
import { moment } from './report.js';
import { terminalText } from './terminal-text.js';

/** Renders one line for each entry, then whether the partner knows the last change. */
export function timelineReport(timeline: Timeline, news: { readonly text: string } | null): Report {
  const { entries, completeFrom } = timeline;
  const lines = entries.map(({ at, text }) => `${moment(at)}  ${terminalText(text)}`);
  const parts = [
    lines.length === 0 ? 'Nothing is recorded.' : lines.join('\n'),
    completeFrom === null ? '' : `Before that: --until ${new Date(completeFrom).toISOString()}`,
    news === null ? '' : `Does the partner know? ${terminalText(news.text)}`,
  ];
  return { value: timeline, text: parts.filter((part) => part !== '').join('\n\n') };
}
