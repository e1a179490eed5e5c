import type { Timeline, TimelineOptions } from '@partner-hiring/core';
import type { Report } from '../command/command.js';
import type { CommandInput } from '../command/command-input.js';
import { moment } from './report.js';
import { terminalText } from './terminal-text.js';

/** Options of commands that show a timeline. */
export const TIMELINE_OPTIONS = {
  since: { value: 'TIME', summary: 'Start, inclusive, e.g. 2026-01-31T09:00Z' },
  until: { value: 'TIME', summary: 'End, exclusive' },
  limit: { value: 'N', summary: '1 to 1000 entries, default 100' },
} as const;

/** The options of a timeline, as the library takes them. */
export function timelineOptionsOf(input: CommandInput): TimelineOptions {
  return {
    since: input.optionInstant('since'),
    until: input.optionInstant('until'),
    limit: input.optionNumber('limit'),
  };
}

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
