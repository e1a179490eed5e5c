import { failureWords, type OwnKey, waitWords } from '@partner-hiring/core';
import { CONSOLE_FEATURES } from '../../features/features.js';
import { countText, Time, type Tone } from '../../view/parts.js';
import type { Advice, PortalCall } from '../portal-call.js';
import { canResume, PausedWords } from './endpoint-words.js';

/** Returns what the partner should do, the most urgent first. Empty if all is well. */
export async function adviceFor(call: PortalCall, keys: readonly OwnKey[]): Promise<readonly Advice[]> {
  if (keys.length === 0) {
    const link = { label: 'How to reach us', href: call.link('docs', '') };
    return [{ tone: 'warn', text: 'You have no key yet. Ask the support for one.', link }];
  }
  const found = await Promise.all([
    ...keys.map((key) => adviceOnEndpoint(call, key)),
    ...keys.map((key) => adviceOnSecrets(call, key)),
    ...keys.map((key) => adviceOnLimits(call, key)),
    ...CONSOLE_FEATURES.map(({ advise }) => advise?.(call, keys) ?? []),
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

/** Says until when limits of a key are lower, and why. Empty if none is. */
export function adviceOnLimits(call: PortalCall, key: OwnKey): readonly Advice[] {
  const { id, environment, loweredLimits: lowered } = key;
  if (lowered === null) return [];
  const text = (
    <>
      {`We have lowered limits of your ${environment} key until `}
      <Time at={lowered.until} isExact />
      {`. Reason: ${lowered.reason}`}
    </>
  );
  const link = { label: 'See your limits', href: call.link('keys', `/${id}`) };
  return [{ tone: 'warn', text, link }];
}
