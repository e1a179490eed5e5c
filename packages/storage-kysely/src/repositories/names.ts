import type { CompanyId, JobId, KeyId, NameRepository } from '@partner-hiring/core/ports';
import { defineLookUps, findByIds, type Item } from '../look-ups.js';
import type { Prepare } from '../preparation.js';
import { defineByWord } from './name-words.js';

export const prepareNames: Prepare<NameRepository> = (preparation) => {
  const { queries } = preparation;
  const partnersBy = defineByWord(preparation, 'partner');
  const companiesBy = defineByWord(preparation, 'company');
  const jobsBy = defineByWord(preparation, 'job');
  const ofKeys = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: KeyId }>) =>
    queries
      .selectFrom('ph_partner_key as key')
      .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
      .select(['key.id', 'key.partner_id', 'key.environment', 'partner.name'])
      .where('key.id', '=', item('id')),
  );
  const ofCompanies = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: CompanyId }>) =>
    queries.selectFrom('ph_company').select(['id', 'name']).where('id', '=', item('id')),
  );
  const ofJobs = defineLookUps(preparation, { id: 'text' }, (item: Item<{ id: JobId }>) =>
    queries.selectFrom('ph_job').select(['id', 'title as name']).where('id', '=', item('id')),
  );

  return {
    partnersBy: (session, by) => session.read((run) => partnersBy(run, by)),
    companiesBy: (session, by) => session.read((run) => companiesBy(run, by)),
    jobsBy: (session, by) => session.read((run) => jobsBy(run, by)),
    ofKeys: findByIds(ofKeys, 'id', ({ partner_id, name, environment }) => ({
      partnerId: partner_id,
      partnerName: name,
      environment,
    })),
    ofCompanies: findByIds(ofCompanies, 'id', ({ name }) => name),
    ofJobs: findByIds(ofJobs, 'id', ({ name }) => name),
  };
};
