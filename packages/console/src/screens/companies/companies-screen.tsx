import type { CompanyId } from '@partner-hiring/core';
import { NothingHere } from '../../gate/refusals.js';
import type { PageContent, Redirection, Screen, ScreenAction, ScreenCall } from '../../http/screen.js';
import { confirmationPage, TextField } from '../../view/forms.js';
import { FactList, MaybeLink, Section, Time } from '../../view/parts.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';

/** One company. The list is on the screen of the jobs. */
export const companiesScreen: Screen = {
  name: 'companies',
  label: null,
  path: '/companies',
  rights: ['companies:read'],
  pages: { '/companies/:id': showCompany },
  actions: { '/companies': register, '/companies/:id/rename': rename },
};

function pageOf(call: ScreenCall, id: string): string {
  return call.at(`/companies/${encodeURIComponent(id)}`);
}

async function showCompany(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const id = call.param('id') as CompanyId;
  const company = await gate.call('companies.find', { id });
  if (company === null) throw new NothingHere();
  const body = (
    <>
      <Section title="Company">
        <FactList
          facts={[
            ['Id', <code>{id}</code>],
            ['Environment', company.environment],
            ['Added', <Time at={company.createdAt} />],
            [
              'Jobs',
              <MaybeLink href={call.link('jobs', '', { company: id })}>Jobs of this company</MaybeLink>,
            ],
            [
              'Applications',
              <MaybeLink href={call.link('applications', '', { company: id })}>
                Applications to this company
              </MaybeLink>,
            ],
            [
              'Audit',
              <MaybeLink href={call.link('audit', '', { kind: 'company', id })}>
                Acts on this company
              </MaybeLink>,
            ],
          ]}
        />
        <p class="hint">
          A key sees the jobs of a company after somebody grants it access on the page of the key.
        </p>
      </Section>
      {gate.isForAllPartners && gate.may('companies:rename') ? (
        <Section title="Rename">
          <form class="inline" method="post" action={call.at(`/companies/${id}/rename`)}>
            <TextField name="name" label="New name" value={company.name} isRequired />
            <button type="submit" class="secondary">
              Rename…
            </button>
          </form>
        </Section>
      ) : null}
    </>
  );
  return {
    kind: 'page',
    title: company.name,
    crumbs: [{ label: 'Jobs and companies', href: call.link('jobs', '') }],
    body,
  };
}

async function register(call: ScreenAction): Promise<PageContent | Redirection> {
  const back = call.link('jobs', '') ?? call.at('/');
  const name = call.form.text('name');
  const environment = call.form.text('environment') === 'sandbox' ? 'sandbox' : 'production';
  if (name === null) return toRefused(back, 'enter-company-name');
  return explainRefusal(back, async () => {
    const { id } = await call.gate.call('companies.create', { name, environment });
    return toDone(pageOf(call, id), 'company-added');
  });
}

async function rename(call: ScreenAction): Promise<PageContent | Redirection> {
  const id = call.param('id') as CompanyId;
  const name = call.form.text('name');
  const company = await call.gate.call('companies.find', { id });
  if (company === null) throw new NothingHere();
  if (name === null) return toRefused(pageOf(call, id), 'enter-new-name');
  if (!call.isConfirmed) {
    return confirmationPage(call, {
      title: 'Rename this company?',
      text: 'Each open job of the company counts as changed for every key that sees it. No event is sent.',
      facts: [
        ['Name', company.name],
        ['New name', name],
      ],
      confirm: 'Rename',
      back: pageOf(call, id),
    });
  }
  return explainRefusal(pageOf(call, id), async () => {
    const { changed } = await call.gate.call('companies.rename', { id, name });
    return toDone(pageOf(call, id), changed ? 'company-renamed' : 'company-named-before');
  });
}
