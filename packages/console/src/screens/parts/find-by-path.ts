import type { FoundKey, KeyId, Partner, PartnerId } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { ScreenCall } from '../../http/screen.js';

/** Finds the key that the path of the page names. @throws NothingHere */
export function findKeyOfPath({ gate, param }: ScreenCall): Promise<FoundKey> {
  return mustFind(gate.call('keys.find', { id: param('key') as KeyId }));
}

/** Finds the partner that the path of the page names. @throws NothingHere */
export function findPartner({ gate, param }: ScreenCall): Promise<Partner> {
  return mustFind(gate.call('partners.find', { id: param('id') as PartnerId }));
}
