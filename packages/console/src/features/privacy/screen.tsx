import type { ApplicationDetails, ApplicationId, ListedApplication } from '@partner-hiring/core';
import type { Person } from '../../gate/gate.js';
import { mustFind, NothingHere } from '../../gate/refusals.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { applicationColumns } from '../../screens/applications/application-columns.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Note, Section } from '../../view/parts.js';
import { byOf, nameOfBy, peopleActions, severalNames } from './actions.js';
import { ErasedPerson } from './erased-person.js';

async function showPerson(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  gate.require('candidates:search');
  if (!gate.isForAllPartners) throw new NothingHere();
  const id = call.param('id') as ApplicationId;
  const application = await mustFind(gate.call('applications.find', { id }));
  const crumbs = [{ label: LABELS.one.application, href: call.at(`/applications/${id}`) }];
  if (application.erasedAt !== null) {
    return { kind: 'page', title: 'Erased person', crumbs, body: await ErasedPerson({ call, application }) };
  }
  const by = byOf(call.query);
  const { items, nextCursor } = await gate.callForPerson('applications.list', { id, by });
  const { firstName, lastName } = application.candidate;
  return {
    kind: 'page',
    title: `Everything about ${firstName} ${lastName}`,
    crumbs,
    body: (
      <PersonPage call={call} application={application} by={by} items={items} isAll={nextCursor === null} />
    ),
  };
}

interface PersonPageProps {
  readonly call: ScreenCall;
  readonly application: ApplicationDetails;
  readonly by: Person['by'];
  readonly items: readonly ListedApplication[];
  readonly isAll: boolean;
}

function PersonPage({ call, application: { id, candidate }, by, items, isAll }: PersonPageProps) {
  const other = by === 'email' ? 'phone' : 'email';
  const { gate } = call;
  const warning = severalNames(items, by);
  const action = (verb: string) => call.at(`/people/${id}/${verb}`);
  return (
    <Section title={by === 'email' ? `By e-mail address ${candidate.email}` : `By phone ${candidate.phone}`}>
      <p>
        <a href={call.at(`/people/${id}`, { by: other === 'email' ? null : other })}>
          {other === 'email' ? 'By e-mail address instead' : 'By phone number instead'}
        </a>
      </p>
      <DataTable
        caption={`Applications with this ${nameOfBy(by)}`}
        columns={applicationColumns(call)}
        rows={items}
        empty="No application."
      />
      {warning === null ? null : <Note tone="warn">{warning}</Note>}
      {isAll ? null : <p class="hint">There are more.</p>}
      <div class="buttons">
        {gate.may('candidates:export') && gate.may('candidates:read') ? (
          <ActionButton action={action('export')} label="Export" fields={{ by }} />
        ) : null}
        {gate.may('candidates:erase') ? (
          <ActionButton action={action('erase')} label="Erase all…" tone="danger" fields={{ by }} />
        ) : null}
      </div>
      <p class="hint">An export shows everything that is stored. The audit records it.</p>
    </Section>
  );
}

/** Everything about a person, by one of their applications: the address has only its id. */
export const peopleScreen: Screen = {
  name: 'people',
  label: null,
  path: '/people',
  within: '/applications',
  rights: ['candidates:search'],
  pages: { '/people/:id': showPerson },
  actions: peopleActions,
};
