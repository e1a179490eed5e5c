import type { RequestFilter } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { Fields } from '../../http/screen.js';

/** The filter of a list, or why it is not possible. */
export type RequestListFilter = { readonly filter: RequestFilter } | { readonly problem: string };

const OWNERS = [
  ['key', 'Partner key'],
  ['partner', 'Partner'],
  ['application', 'Application'],
] as const;

/** Reads the filter from the address. */
export function readRequestFilter(
  query: Fields,
  { isForAllPartners, actor }: Pick<Gate, 'isForAllPartners' | 'actor'>,
): RequestListFilter {
  const given = OWNERS.filter(([name]) => query.text(name) !== null).map(([, label]) => label);
  if (given.length > 1) return { problem: `Choose one of ${given.join(', ')}, and remove the others.` };
  const [since, until] = [query.instant('since'), query.instant('until')];
  const rest = {
    onlyErrors: query.text('errors') === 'yes' ? true : undefined,
    since: since ?? undefined,
    until: until ?? undefined,
  };
  if (given.length === 1 || isForAllPartners) return { filter: { ...ownerOf(query), ...rest } };
  const [only, ...others] = actor.partnerIds === 'all' ? [] : actor.partnerIds;
  if (only !== undefined && others.length === 0) return { filter: { partnerId: only, ...rest } };
  return { problem: 'Your rights cover some partners. Choose a partner key, a partner or an application.' };
}

function ownerOf(query: Fields): Pick<RequestFilter, 'keyId' | 'partnerId' | 'applicationId'> {
  const [key, partner, application] = OWNERS.map(([name]) => query.text(name));
  if (key) return { keyId: key as `key_${string}` };
  if (partner) return { partnerId: partner as `ptn_${string}` };
  return application ? { applicationId: application as `ej_app_${string}` } : {};
}
