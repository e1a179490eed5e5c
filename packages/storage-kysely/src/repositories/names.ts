import type { CompanyId, JobId, KeyId, NameRepository } from '@partner-hiring/core/ports';
import { lookUpEach } from '../batch.js';
import type { JsonRows } from '../dialect.js';
import { inOrder } from '../mapping.js';
import type { Prepare } from '../preparation.js';
import { define, type Param } from '../statement.js';
import { defineByWord } from './name-words.js';

export const prepareNames: Prepare<NameRepository> = (preparation) => {
  const { queries } = preparation;
  const partnersBy = defineByWord(preparation, 'partner');
  const companiesBy = defineByWord(preparation, 'company');
  const jobsBy = defineByWord(preparation, 'job');
  const ofKeys = define((param: Param<{ rows: JsonRows<{ id: KeyId }> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries
        .selectFrom('ph_partner_key as key')
        .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
        .select(['key.id', 'key.partner_id', 'key.environment', 'partner.name'])
        .where('key.id', '=', item('id')),
    ),
  );
  const ofCompanies = define((param: Param<{ rows: JsonRows<{ id: CompanyId }> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_company').select(['id', 'name']).where('id', '=', item('id')),
    ),
  );
  const ofJobs = define((param: Param<{ rows: JsonRows<{ id: JobId }> }>) =>
    lookUpEach(preparation, param('rows'), { id: 'text' }, (item) =>
      queries.selectFrom('ph_job').select(['id', 'title as name']).where('id', '=', item('id')),
    ),
  );

  return {
    partnersBy: (session, by) => session.read((run) => partnersBy(run, by)),
    companiesBy: (session, by) => session.read((run) => companiesBy(run, by)),
    jobsBy: (session, by) => session.read((run) => jobsBy(run, by)),
    ofKeys: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(ofKeys, itemsOf(ids), {});
        return inOrder(
          ids,
          rows,
          (row) => row.id,
          ({ partner_id, name, environment }) => ({ partnerId: partner_id, partnerName: name, environment }),
        );
      }),
    ofCompanies: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(ofCompanies, itemsOf(ids), {});
        return inOrder(
          ids,
          rows,
          (row) => row.id,
          ({ name }) => name,
        );
      }),
    ofJobs: (session, ids) =>
      session.read(async (run) => {
        const { rows } = await run.batch(ofJobs, itemsOf(ids), {});
        return inOrder(
          ids,
          rows,
          (row) => row.id,
          ({ name }) => name,
        );
      }),
  };
};

/** Many rows of a list have the same key, company or job. */
function itemsOf<Id extends string>(ids: readonly Id[]): readonly { readonly id: Id }[] {
  return [...new Set(ids)].map((id) => ({ id }));
}
