import type { OwnRequest } from '@partner-hiring/core';
import type { Advice, PortalCall } from '../../portal/portal-call.js';
import { NO_OWN_ROWS } from '../../portal/screens/own-keys.js';
import { countText } from '../../view/parts.js';

const DAY_MS = 86_400_000;

/** Says which requests were refused. */
export async function adviseOnRequests(call: PortalCall): Promise<readonly Advice[]> {
  if (!call.may('requests')) return [];
  const { items, nextCursor } = (await call.own.requests({ onlyErrors: true })) ?? NO_OWN_ROWS;
  const since = (await call.own.now()) - DAY_MS;
  const recent = items.filter(({ at }) => at >= since);
  if (recent.length === 0) return [];
  const count = recent.reduce((sum, each) => sum + each.count, 0);
  const isExact = recent.length < items.length || nextCursor === null;
  const were = count === 1 ? 'request was' : 'requests were';
  const text = (
    <>
      {`${countText(count, isExact)} ${were} refused in the last 24 hours, most often with `}
      <code>{mostFrequentCode(recent)}</code>.
    </>
  );
  const link = { label: 'See why, and what to do', href: call.link('requests', '', { errors: 'yes' }) };
  return [{ tone: 'warn', text, link }];
}

function mostFrequentCode(requests: readonly OwnRequest[]): string {
  const counts = new Map<string, number>();
  for (const { code, status, count } of requests) {
    const name = code ?? String(status);
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const [[name] = ['an error']] = [...counts].toSorted(([, first], [, second]) => second - first);
  return name;
}
