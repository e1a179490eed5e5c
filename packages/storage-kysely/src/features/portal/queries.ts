import type { PartnerId, Repositories } from '@partner-hiring/core/ports';
import { insertOne } from '../../batch.js';
import { prepareFind } from '../../look-ups.js';
import type { Prepare } from '../../preparation.js';
import { define, type Param, WRITTEN } from '../../statement.js';
import { prepareSweep } from '../../sweep-position.js';
import type { Row } from '../../table.js';
import { PORTAL_PASSES } from './table.js';

export const preparePortalPasses: Prepare<Repositories['portalPasses']> = (preparation) => {
  const { queries } = preparation;
  const add = define((param: Param<Row<typeof PORTAL_PASSES>>) =>
    insertOne(preparation, PORTAL_PASSES, param),
  );
  const remove = define((param: Param<{ hash: string }>) =>
    queries.deleteFrom('ph_portal_pass').where('hash', '=', param('hash')).returning(WRITTEN),
  );
  const removeOf = define((param: Param<{ partnerId: PartnerId }>) =>
    queries.deleteFrom('ph_portal_pass').where('partner_id', '=', param('partnerId')).returning('kind'),
  );
  const sweep = prepareSweep(preparation, {
    table: 'ph_portal_pass',
    column: 'expires_at',
    key: ['hash'],
    inOrderOf: ['hash'],
    isOver: (at, before) => at < before,
  });

  return {
    add: (session, pass) => session.write((run) => run.execute(add, PORTAL_PASSES.toRow(pass))),
    find: prepareFind(preparation, PORTAL_PASSES, 'hash'),
    remove: (session, hash) => session.write(async (run) => (await run.count(remove, { hash })) > 0),
    removeOf: (session, partnerId) =>
      session.write(async (run) => {
        const kinds = (await run.all(removeOf, { partnerId })).map(({ kind }) => kind);
        const links = kinds.filter((kind) => kind === 'link').length;
        return { links, sessions: kinds.length - links };
      }),
    sweep,
  };
};
