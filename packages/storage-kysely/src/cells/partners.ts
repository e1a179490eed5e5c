import type {
  AgePosition,
  KeyPosition,
  KeyRepository,
  NameRepository,
  PartnerRepository,
} from '@partner-hiring/core/ports';
import type { Cells } from './cells.js';
import { compare, merge } from './merge.js';

/** Each partner lives in one cell. */
export function partnersOf(cells: Cells): PartnerRepository {
  return {
    add: (partner) => {
      const add = async (bound: Cells['bound']) => {
        const cell = await cells.placement.choose(bound.session);
        // Adding partners one at a time makes the id unique over all cells.
        const found = await cells.group(bound, 'partner', [partner.id], (id) => id);
        const [known = 0] = found.keys();
        if ((await bound.cell(known).partners.find(partner.id)) !== null) return 'exists' as const;
        return bound.cell(cell).partners.add(partner);
      };
      return cells.bound.alone === null ? add(cells.bound) : cells.bound.alone.write(add);
    },
    find: (id) => cells.of('partner', id, ({ partners }) => partners.find(id)),
    list: async (page) =>
      merge(await cells.readAll(({ partners }) => partners.list(page)), byAge, page?.limit),
  };
}

export function byAge(one: AgePosition<string>, other: AgePosition<string>): number {
  return compare(one.createdAt, other.createdAt) || compare(one.id, other.id);
}

/** A key lives in the cell of its partner. */
export function keysOf(cells: Cells): KeyRepository {
  return {
    add: (key) => cells.of('partner', key.partnerId, ({ keys }) => keys.add(key)),
    find: (id) => cells.of('key', id, ({ keys }) => keys.find(id)),
    findForUpdate: (id) => cells.of('key', id, ({ keys }) => keys.findForUpdate(id)),
    list: async (partnerId, page) =>
      partnerId === null
        ? merge(await cells.readAll(({ keys }) => keys.list(null, page)), byPartner, page?.limit)
        : cells.of('partner', partnerId, ({ keys }) => keys.list(partnerId, page)),
    addSecret: (secret) => cells.of('key', secret.keyId, ({ keys }) => keys.addSecret(secret)),
    saveSecrets: async (secrets) => {
      await cells.split(
        'key',
        secrets,
        ({ keyId }) => keyId,
        ({ keys }, own) => keys.saveSecrets(own),
      );
    },
    listSecrets: (keyId) => cells.of('key', keyId, ({ keys }) => keys.listSecrets(keyId)),
    listSecretsEach: (keyIds) =>
      cells.each(
        'key',
        keyIds,
        (id) => id,
        ({ keys }, own) => keys.listSecretsEach(own),
      ),
    findByHashes: (hashes) =>
      cells.each(
        'secret',
        hashes,
        (hash) => hash,
        ({ keys }, own) => keys.findByHashes(own),
      ),
    touchSecrets: async (hashes, at) => {
      await cells.splitLoosely(
        'secret',
        hashes,
        (hash) => hash,
        ({ keys }, own) => keys.touchSecrets(own, at),
      );
    },
  };
}

function byPartner(one: KeyPosition, other: KeyPosition): number {
  return compare(one.partnerId, other.partnerId) || compare(one.environment, other.environment);
}

/** Companies and jobs are in every cell. */
export function namesOf({ home, each }: Cells): NameRepository {
  return {
    ofKeys: (ids) =>
      each(
        'key',
        ids,
        (id) => id,
        ({ names }, own) => names.ofKeys(own),
      ),
    ofCompanies: (ids) => home.names.ofCompanies(ids),
    ofJobs: (ids) => home.names.ofJobs(ids),
  };
}
