import { failureWords, type OwnKey, type OwnRequest, waitWords } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { countText, Time, type Tone } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';
import { canResume, PausedWords } from './endpoint-words.js';
import { environmentName, NO_OWN_ROWS } from './own-keys.js';
import { SupportLink } from './support-link.js';

/** Something that the partner should do, with the page where it does it. */
export interface Advice {
  readonly tone: Tone;
  readonly text: Child;
  readonly link: { readonly label: string; readonly href: string | null };
}

const DAY_MS = 86_400_000;

/** Returns what the partner should do, the most urgent first. Empty if all is well. */
export async function adviceFor(call: PortalCall, keys: readonly OwnKey[]): Promise<readonly Advice[]> {
  if (keys.length === 0) {
    const link = { label: 'How to reach us', href: call.link('docs', '') };
    return [{ tone: 'warn', text: 'You have no key yet. Ask the support for one.', link }];
  }
  const isLive = keys.some(({ environment }) => environment === 'production');
  const found = await Promise.all([
    ...keys.map((key) => adviceOnEndpoint(call, key)),
    ...keys.map((key) => adviceOnSecrets(call, key)),
    adviceOnRequests(call),
    ...keys.map((key) => adviceOnGoLive(call, key, isLive)),
  ]);
  const order: readonly Tone[] = ['bad', 'warn', 'calm'];
  return found.flat().toSorted((first, second) => order.indexOf(first.tone) - order.indexOf(second.tone));
}

async function adviceOnEndpoint(call: PortalCall, key: OwnKey): Promise<readonly Advice[]> {
  if (!call.may('endpoint')) return [];
  const { id, environment } = key;
  const endpoint = await call.own.endpoint(id);
  const link = { label: 'Open the endpoint', href: call.link('endpoints', `/${id}`) };
  if (endpoint === null) {
    const text = `Your ${environment} key has no webhook endpoint, so we cannot tell you about decisions and new jobs.`;
    return [{ tone: 'calm', text, link: { ...link, label: 'Add an endpoint' } }];
  }
  const backlog = await call.own.backlog(id);
  const { failingSince, lastFailure } = endpoint;
  const advice: Advice[] = [];
  if (endpoint.state === 'paused') {
    const text = (
      <>
        {`Your ${environment} endpoint was paused `}
        <PausedWords shown={endpoint} />
        {`. ${waitWords({ count: backlog?.paused ?? 0, isExact: true })} ${canResume(endpoint) ? 'Mend your receiver, then resume.' : 'Ask the support to resume it.'}`}
      </>
    );
    advice.push({ tone: 'bad', text, link });
  } else if (failingSince !== null) {
    const text = (
      <>
        {`Your ${environment} endpoint started failing `}
        <Time at={failingSince} />
        {lastFailure === null ? '.' : `: ${failureWords(lastFailure)}.`}
      </>
    );
    advice.push({ tone: 'bad', text, link });
  }
  const dead = backlog?.dead ?? 0;
  if (dead > 0) {
    const text = `${countText(dead)} ${dead === 1 ? 'event' : 'events'} for your ${environment} endpoint failed ten times and ${dead === 1 ? 'is' : 'are'} not sent anymore.`;
    const href = call.link('deliveries', '', { key: id, state: 'dead' });
    advice.push({ tone: 'bad', text, link: { label: 'See them, and resend them', href } });
  }
  return advice;
}

function adviceOnSecrets(call: PortalCall, { environment, secrets }: OwnKey): readonly Advice[] {
  if (!call.may('keys')) return [];
  const link = { label: 'Open keys and secrets', href: call.link('keys', '') };
  const current = secrets.find(({ state }) => state === 'current');
  if (current === undefined) {
    const text = `No API key of your ${environment} key works. Ask the support for a new one.`;
    return [{ tone: 'bad', text, link }];
  }
  const replaced = secrets.filter(({ state }) => state === 'replaced');
  const stillUsed = replaced.find(({ lastUsedAt }) => (lastUsedAt ?? 0) > current.createdAt);
  const old = stillUsed ?? (current.lastUsedAt === null ? replaced[0] : undefined);
  if (old === undefined || old.expiresAt === null) return [];
  const begin =
    old === stillUsed
      ? `Your ${environment} system still uses the old API key …${old.lastFour}, which stops working `
      : `Your new ${environment} API key is not used yet, and the old one …${old.lastFour} stops working `;
  const text = (
    <>
      {begin}
      <Time at={old.expiresAt} isExact />. Put the new one into your system.
    </>
  );
  return [{ tone: 'warn', text, link }];
}

async function adviceOnRequests(call: PortalCall): Promise<readonly Advice[]> {
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

/** With a production key, only what the platform requires of the sandbox still matters. */
async function adviceOnGoLive(
  call: PortalCall,
  { id, environment }: OwnKey,
  isLive: boolean,
): Promise<readonly Advice[]> {
  if (environment === 'production' || !call.may('goLive')) return [];
  const items = ((await call.own.readiness(id))?.items ?? []).filter(
    ({ isRequired }) => isRequired || !isLive,
  );
  const open = items.filter(({ isDone }) => !isDone).length;
  if (open === 0) return [];
  if (await lacksCompany(call, id)) {
    const text = (
      <>
        Sandbox: <NoCompany call={call} />
      </>
    );
    return [{ tone: 'warn', text, link: { label: 'See what comes then', href: call.link('go-live', '') } }];
  }
  const text = `${environmentName(environment)}: ${countText(open)} of ${countText(items.length)} items before you go live are open.`;
  return [{ tone: 'calm', text, link: { label: 'See what remains', href: call.link('go-live', '') } }];
}

/** Returns whether the key sees no company, so that `GET /jobs` returns nothing. False if this actor may not know. */
export async function lacksCompany(call: PortalCall, keyId: OwnKey['id']): Promise<boolean> {
  return call.may('keys') && (await call.own.companies(keyId, { limit: 1 }))?.items.length === 0;
}

/** Says what must come first for a sandbox key without a company. */
export function NoCompany({ call }: { readonly call: PortalCall }) {
  return (
    <>
      First ask <SupportLink call={call} /> for access to a sandbox company. Until then, GET /jobs returns no
      job.
    </>
  );
}
