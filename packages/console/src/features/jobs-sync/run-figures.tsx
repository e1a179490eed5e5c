import type { Operation } from '@partner-hiring/core';
import { countText, Figures } from '../../view/parts.js';
import { countLabel, missingRule, SHOWN_COUNTS } from './texts.js';

/** The counts of a run. Shows nothing for other operations. */
export function RunFigures({ operation }: { readonly operation: Operation }) {
  const { sync } = operation;
  if (sync === null) return null;
  const missing = missingRule(operation);
  const figures = SHOWN_COUNTS.map((name) => ({
    label: countLabel(name, missing),
    value: countText(sync[name]),
    live: name,
    tone: name === 'refused' && sync.refused > 0 ? ('warn' as const) : ('calm' as const),
  }));
  return <Figures figures={figures} />;
}

/** The counts of a run as the script refreshes them. Empty for other operations. */
export function liveCounts({ sync }: Operation): Readonly<Record<string, string>> {
  if (sync === null) return {};
  return Object.fromEntries(SHOWN_COUNTS.map((name) => [name, countText(sync[name])]));
}
