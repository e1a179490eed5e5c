import type { ApplicationId, ApplicationRepository, KeyId } from '@partner-hiring/core/ports';
import type { JsonRows } from '../../dialect.js';
import { lookUpEach } from '../../each-item.js';
import { inOrder, pairKey } from '../../in-order.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { PARTNER_COLUMNS, toApplication } from './application-rows.js';

interface SourceItem {
  readonly key_id: KeyId;
  readonly source_id: string;
}

/** Applications that partners ask for by what they know of them; each finds its own. */
export const prepareFindForPartners: Prepare<Pick<ApplicationRepository, 'findOwned' | 'findBySourceIds'>> = (
  preparation,
) => {
  const { queries } = preparation;
  const findOwned = define((param: Param<{ rows: JsonRows<{ id: ApplicationId }> }>) =>
    // By the id alone: given the key too, a server may take an index of the key and read all that it has. Rows of other
    // keys are left out below.
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_application').select(PARTNER_COLUMNS).where('id', '=', item('id')),
    ),
  );
  const findBySourceIds = define((param: Param<{ rows: JsonRows<SourceItem> }>) =>
    lookUpEach(preparation, param('rows'), { key_id: 'text', source_id: 'text' }, (item) =>
      queries
        .selectFrom('ph_application')
        .select(['id', 'key_id', 'source_application_id'])
        .where('key_id', '=', item('key_id'))
        .where('source_application_id', '=', item('source_id')),
    ),
  );

  return (session) => ({
    findOwned: (pairs) =>
      session.read(async (run) => {
        const ids = pairs.map(({ id }) => id);
        const { rows } = await run.batch(
          findOwned,
          ids.map((id) => ({ id })),
          {},
        );
        const found = inOrder(ids, rows, (row) => row.id, toApplication);
        return found.map((application, index) =>
          application?.keyId === pairs[index]?.keyId ? application : null,
        );
      }),
    findBySourceIds: (pairs) =>
      session.read(async (run) => {
        const asked = pairs.map((pair) => ({ key_id: pair.keyId, source_id: pair.sourceApplicationId }));
        const { rows } = await run.batch(findBySourceIds, asked, {});
        const keys = asked.map((item) => pairKey(item.key_id, item.source_id));
        return inOrder(
          keys,
          rows,
          (row) => pairKey(row.key_id, row.source_application_id ?? ''),
          ({ id }) => ({ id }),
        );
      }),
  });
};
