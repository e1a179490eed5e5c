import type { OwnKey } from '@partner-hiring/core';
import type { Advice, PortalCall } from '../../portal/portal-call.js';
import { environmentName } from '../../portal/screens/own-keys.js';
import { SupportLink } from '../../portal/screens/support-link.js';
import { countText } from '../../view/parts.js';

/** Says which items of the checklist are open. */
export async function adviseOnGoLive(call: PortalCall, keys: readonly OwnKey[]): Promise<readonly Advice[]> {
  const isLive = keys.some(({ environment }) => environment === 'production');
  return (await Promise.all(keys.map((key) => adviceOnGoLive(call, key, isLive)))).flat();
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
