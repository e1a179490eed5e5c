/** Menus of names that are cut say so. */
import type { KeyView } from '@partner-hiring/core';
import { jsx } from 'hono/jsx';
import { describe, expect, it } from 'vitest';
import { MOST_KEYS } from '../../gate/keys-in-scope.js';
import type { ScreenCall } from '../../http/screen.js';
import { CompanyChooser, listChoices } from '../partners/company-chooser.js';
import { KeyField, OwnerField } from './key-field.js';
import { companyOptions } from './list-companies.js';

const MORE = 'find it with the search at the top';

function keysOf(count: number): readonly KeyView[] {
  return Array.from({ length: count }, (_, number) => {
    const key = { id: `key_${number}`, partnerId: `ptn_${number}` };
    return { key, label: `P${number} (production)`, partnerName: `P${number}` } as unknown as KeyView;
  });
}

/** Answers lists of companies with two, of which one is in production; or with the one of the environment. */
function gateOf(nextCursor: string | null) {
  const all = ['production', 'sandbox'].map((environment) => ({ id: `co_${environment}`, environment }));
  const call = async (_: string, { environment }: { readonly environment?: string } = {}) => ({
    items: all.filter((each) => environment === undefined || each.environment === environment),
    nextCursor,
  });
  return { may: () => true, isForAllPartners: true, call } as unknown as ScreenCall['gate'];
}

describe('a menu of partner keys or partners', () => {
  it('says that there are more, and how to find them', () => {
    for (const [count, isCut] of [
      [MOST_KEYS - 1, false],
      [MOST_KEYS, true],
    ] as const) {
      const keys = keysOf(count);
      const menus = [
        [jsx(KeyField as never, { name: 'key', keys, any: 'Any' }), count],
        // Each partner, and its key.
        [
          jsx(OwnerField as never, {
            name: 'key',
            label: 'Partner',
            keys,
            any: 'Any',
            value: null,
            hasKeys: true,
          }),
          2 * count,
        ],
      ] as const;
      for (const [menu, options] of menus) {
        const html = String(menu);
        expect(html.match(/<option/g)).toHaveLength(options + 1);
        expect(html.includes(MORE), `${count} keys`).toBe(isCut);
        expect(html.includes('aria-describedby')).toBe(isCut);
      }
    }
  });
});

describe('a menu of companies', () => {
  it('says that there are more, and how to find them', async () => {
    for (const [cursor, isCut] of [
      [null, false],
      ['next', true],
    ] as const) {
      const { options, hint = '' } = await companyOptions({ gate: gateOf(cursor) } as ScreenCall);
      expect(options).toHaveLength(2);
      expect(hint.includes(MORE)).toBe(isCut);
    }
  });

  it('with boxes to tick leaves the box for other names open', async () => {
    for (const [cursor, isCut] of [
      [null, false],
      ['next', true],
    ] as const) {
      const choices = await listChoices(gateOf(cursor), 'production');
      const html = String(jsx(CompanyChooser as never, { choices, chosen: { ids: [], names: '' } }));
      expect(html.match(/type="checkbox"/g)).toHaveLength(1);
      expect(html.includes('Write the names or the ids of others into the box below')).toBe(isCut);
      expect(html.includes('data-chooser-cut')).toBe(isCut);
    }
  });
});
