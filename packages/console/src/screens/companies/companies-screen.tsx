import type { Company, CompanyId } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import { mustFind } from '../../gate/refusals.js';
import {
  type PageContent,
  pageBelow,
  type Redirection,
  type Screen,
  type ScreenCall,
  type ShowPage,
} from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SubmitButton, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, Section, Time } from '../../view/parts.js';
import { CLOSE_ALL_PATH, mayCloseAll } from '../jobs/close-all-act.js';
import { change, defineAct, goTo, RefusedAct, withoutPage } from '../parts/define-act.js';
import { listFact } from '../parts/names.js';
import { exportCompanies } from './company-table.js';

function find({ gate, param }: ScreenCall): Promise<Company> {
  return mustFind(gate.call('companies.find', { id: param('id') as CompanyId }));
}

const register = defineAct({
  back: (call) => call.link('jobs', '') ?? call.at('/'),
  find: ({ form }) => {
    const name = form.text('name');
    if (name === null) throw new RefusedAct('enter-company-name');
    const environment = form.text('environment') === 'sandbox' ? 'sandbox' : 'production';
    return { name, environment } as const;
  },
  run: async (input, call) => {
    const { id } = await call.gate.call('companies.create', input);
    return goTo(call.at(`/companies/${encodeURIComponent(id)}`), 'company-added');
  },
});

const rename = defineAct({
  find: async (call) => {
    const company = await find(call);
    const name = call.form.text('name');
    if (name === null) throw new RefusedAct('enter-new-name');
    return { company, name };
  },
  ask: ({ company, name }) => ({
    title: 'Rename this company?',
    text: 'Each open job of the company counts as changed for every key that sees it. No event is sent.',
    facts: [
      [LABELS.name, company.name],
      [LABELS.newName, name],
    ],
    confirm: LABELS.button.rename,
  }),
  run: change(
    'companies.rename',
    ({ company: { id }, name }) => ({ id, name }),
    'company-renamed',
    'company-named-before',
  ),
});

/** The list is on the screen of the jobs. */
const showCompanies: ShowPage = Object.assign(
  async (call: ScreenCall): Promise<Redirection> => ({ kind: 'redirect', to: call.at('/jobs') }),
  { csv: exportCompanies },
);

/** One company. The list is on the screen of the jobs. */
export const companiesScreen: Screen = {
  name: 'companies',
  label: null,
  path: '/companies',
  within: '/jobs',
  rights: ['companies:read'],
  pages: { '/companies': showCompanies, '/companies/:id': showCompany },
  actions: { '/companies': withoutPage(register), '/companies/:id/rename': rename },
};

async function showCompany(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const company = await find(call);
  const { id } = company;
  const shown = await sectionsOf('company', { call, company });
  const body = (
    <>
      <Section title={LABELS.one.company}>
        <FactList
          facts={[
            [LABELS.environment, company.environment],
            [LABELS.addedAt, <Time at={company.createdAt} />],
            listFact(call, 'jobs', { company: id }, 'Jobs of this company'),
            listFact(call, 'applications', { company: id }, 'Applications to this company'),
            listFact(
              call,
              'totals',
              { by: 'month', company: id, environment: company.environment },
              'Totals of this company',
            ),
            listFact(call, 'audit', { kind: 'company', id }, 'Acts on this company'),
            [LABELS.id, <Id value={id} />],
          ]}
        />
        <p class="hint">
          A key sees the jobs of a company after somebody grants it access on the page of the key.
        </p>
      </Section>
      {mayCloseAll(call) ? (
        <Section title={LABELS.all.jobs}>
          <ActionButton
            action={call.at(CLOSE_ALL_PATH)}
            label={LABELS.button.closeAllJobs}
            fields={{ company: id }}
          />
        </Section>
      ) : null}
      {shown.map(({ middle }) => middle)}
      {gate.isForAllPartners && gate.may('companies:rename') ? (
        <Section title={LABELS.button.rename}>
          <form class="inline" method="post" action={call.at(`/companies/${id}/rename`)}>
            <TextField name="name" label={LABELS.newName} value={company.name} isRequired />
            <SubmitButton label={LABELS.button.renameAsk} />
          </form>
        </Section>
      ) : null}
    </>
  );
  return pageBelow({ label: LABELS.all.jobsAndCompanies, href: call.link('jobs', '') }, company.name, body);
}
