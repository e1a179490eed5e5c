import type { ApplicationRepository } from '@partner-hiring/core/ports';
import type { SelectQueryBuilder } from 'kysely';
import { defineMerged } from '../../merged-ranges.js';
import type { Prepare } from '../../preparation.js';
import { inEachStatus } from '../../repositories/application-rows.js';
import { HIGHEST_CODE_POINT } from '../../repositories/name-words.js';
import type { Schema } from '../../schema.js';
import type { Param } from '../../statement.js';
import { APPLICATIONS } from '../../tables/index.js';
import { phoneKey } from '../../tables/phone-key.js';

interface NameParams {
  readonly key: string;
  readonly before: string;
  readonly limit: number;
}

const OWNED = APPLICATIONS.pick('id', 'key_id');

/** A search reads at most as many names from each range. */
const MOST_NAMES = 5_000;

/** The names of candidates for searches: without the other columns, because a search reads thousands of rows. */
export const prepareCandidateNames: Prepare<Pick<ApplicationRepository, 'listNames' | 'listPhoneEnds'>> = (
  preparation,
) => {
  const names = preparation.queries
    .selectFrom('ph_application')
    .select(['id', 'key_id', 'first_name', 'last_name', 'last_name_key']);
  const phones = preparation.queries
    .selectFrom('ph_application')
    .select(['id', 'key_id', 'phone_key'])
    .where('erased_at', 'is', null);
  const whole = defineMerged(
    preparation,
    { columns: ['id'], direction: 'desc' },
    (param: Param<NameParams>) => inEachStatus(names.where('last_name_key', '=', param('key'))),
    MOST_NAMES,
  );
  const defineRange = <Row>(
    rows: SelectQueryBuilder<Schema, 'ph_application', Row>,
    column: 'last_name_key' | 'phone_key',
    from: '>' | '>=',
  ) =>
    defineMerged(
      preparation,
      { columns: [column, 'id'], direction: 'asc' },
      (param: Param<NameParams>) =>
        inEachStatus(rows.where(column, from, param('key')).where(column, '<', param('before'))),
      MOST_NAMES,
    );
  const longer = defineRange(names, 'last_name_key', '>');
  const ends = defineRange(phones, 'phone_key', '>=');

  return {
    listPhoneEnds: (session, { digits, limit }) =>
      session.read(async (run) => {
        const key = phoneKey(digits);
        return run.list(ends, { key, before: key + HIGHEST_CODE_POINT, limit }, OWNED.toValue);
      }),
    listNames: (session, { lastNameKey: key, match, limit }) =>
      session.read(async (run) => {
        const values = { key, before: key + HIGHEST_CODE_POINT, limit };
        return run.list(match === 'whole' ? whole : longer, values, (row) => ({
          id: row.id,
          keyId: row.key_id,
          firstName: row.first_name,
          lastName: row.last_name,
        }));
      }),
  };
};
