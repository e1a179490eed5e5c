import { expect, it } from 'vitest';
import { parseActor } from './parse-actor.js';
import { CONSOLE_RIGHTS } from './rights.js';

const ROBIN = { id: 'user_1', name: 'Robin', rights: CONSOLE_RIGHTS.admin, partnerIds: 'all' };
const { partnerIds: _, ...WITHOUT_PARTNERS } = ROBIN;

const problemOf = (given: unknown) => {
  const parsed = parseActor(given);
  return 'problem' in parsed ? parsed.problem : null;
};

const MANY = Array.from({ length: 101 }, (_, index) => `ptn_${index}`);
const FIX = `Set \`partnerIds: 'all'\` for all partners, or list at most 100 ids, such as ['ptn_…'].`;
const MISSING = 'without `partnerIds`';
const NO_LIST = "whose `partnerIds` is neither 'all' nor an array";
const NO_PARTNER = 'whose `partnerIds` contains something else than ids of partners';

it.each([
  [undefined, MISSING],
  ...[null, true, 0, '', 'ALL', '*', 'ptn_1', new Set(['ptn_1']), new Map(), { 0: 'ptn_1', length: 1 }].map(
    (given) => [given, NO_LIST] as const,
  ),
  ...[['all'], new Array(2), ['acme'], ['ptn_1', 'key_1'], ['ptn_'], ['ptn_1 '], [['ptn_1']]].map(
    (given) => [given, NO_PARTNER] as const,
  ),
  [[Object('ptn_1')], NO_PARTNER],
  [MANY, 'whose `partnerIds` has 101 different partners'],
] as const)('refuses %o as partners, and says how to name all', (partnerIds, problem) => {
  expect(problemOf({ ...ROBIN, partnerIds })).toBe(`${problem}. ${FIX}`);
});

it.each([
  [WITHOUT_PARTNERS, `${MISSING}. ${FIX}`],
  [Object.assign(Object.create(ROBIN), WITHOUT_PARTNERS), `${MISSING}. ${FIX}`],
  [{ ...WITHOUT_PARTNERS, partnerids: [] }, 'with the unknown field "partnerids"'],
  [{ ...WITHOUT_PARTNERS, partner_ids: 'all' }, 'with the unknown field "partner_ids"'],
  [{ ...ROBIN, team: undefined }, 'with the unknown field "team"'],
  [{ ...ROBIN, [Symbol('own')]: 1 }, 'with the unknown field Symbol(own)'],
])('refuses missing, inherited and unknown fields: %o', (given, problem) => {
  expect(problemOf(given)).toContain(problem);
});

it.each([
  ['all', 'all'],
  [[], []],
  [MANY.slice(1), MANY.slice(1)],
  [Array(200).fill('ptn_1'), ['ptn_1']],
])('accepts %o as partners', (partnerIds, expected) => {
  expect(parseActor({ ...ROBIN, partnerIds })).toEqual({ actor: { ...ROBIN, partnerIds: expected } });
});

it('reads each field and each entry of a list once', () => {
  const reads: string[] = [];
  const counted = <Value extends object>(of: Value) =>
    new Proxy(of, {
      get: (target, name): unknown => {
        reads.push(String(name));
        return Reflect.get(target, name);
      },
    });
  const given = { ...ROBIN, rights: counted(['jobs:read']), partnerIds: counted(['ptn_1']) };
  expect(parseActor(counted(given))).toEqual({
    actor: { ...ROBIN, rights: ['jobs:read'], partnerIds: ['ptn_1'] },
  });
  expect(reads).toEqual(['id', 'name', 'rights', 'partnerIds', 'length', '0', 'length', '0']);
});
