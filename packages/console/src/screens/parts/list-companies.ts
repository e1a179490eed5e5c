import type { Company, CompanyId, Page } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type { ScreenCall } from '../../http/screen.js';
import type { LoadedOptions } from './filter-field.js';
import { moreText } from './key-field.js';

/** Enough for the choice of somebody for some partners. */
const MOST_OF_PARTNERS = 200;

/** Lists a page of companies. For an actor for some partners, lists those to which their keys have access. */
export async function listCompanies(gate: Gate, cursor: string | null): Promise<Page<Company>> {
  if (!gate.may('companies:read')) return { items: [], nextCursor: null };
  if (gate.isForAllPartners) {
    return gate.call('companies.list', cursor === null ? {} : { cursor });
  }
  return { items: await listOfPartners(gate), nextCursor: null };
}

/** Reads the names of companies to choose from. Somebody for some partners filters by their keys instead. */
export async function companyOptions({ gate }: ScreenCall): Promise<LoadedOptions> {
  if (!gate.isForAllPartners) return { options: [] };
  const { items: companies, nextCursor } = await listCompanies(gate, null);
  return {
    options: companies.map(({ id, name, environment }) => [id, `${name} (${environment})`]),
    hint: nextCursor === null ? undefined : moreText(companies.length, 'companies'),
  };
}

async function listOfPartners(gate: Gate): Promise<readonly Company[]> {
  if (!gate.may('access:read')) return [];
  const keys = await listKeysInScope(gate);
  const pages = await Promise.all(
    keys.map(({ key }) => gate.call('access.list', { keyId: key.id, limit: MOST_OF_PARTNERS })),
  );
  const ids = new Set(
    pages.flatMap(({ items: access }) => access.map(({ companyId }): CompanyId => companyId)),
  );
  const seen = [...ids].slice(0, MOST_OF_PARTNERS);
  const found = await Promise.all(seen.map((id) => gate.call('companies.find', { id })));
  // Null if access was revoked meanwhile.
  return found.flatMap((company) => company ?? []);
}
