import type { ApplicationId, OwnApplication } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { isLibraryId } from '../../http/library-id.js';
import type { PageContent, Redirection } from '../../http/screen.js';
import type { Column } from '../../view/data-table.js';
import { TextField } from '../../view/forms.js';
import { Id, shortId } from '../../view/ids.js';
import { FactList, Section, StateBadge, Time } from '../../view/parts.js';
import type { PortalAction, PortalCall, PortalScreen } from '../portal-call.js';
import { chosenKey, environmentOf, keyOptions } from './own-keys.js';
import { ownCursorOf, showOwnList } from './own-list.js';

/** A search that found nothing. */
interface FailedSearch {
  readonly text: string;
  readonly problem: string;
}

async function showApplications(call: PortalCall, failed: FailedSearch | null = null): Promise<PageContent> {
  const keys = await call.own.keys();
  const key = chosenKey(keys, call.query.text('key'));
  const query = key === null ? null : { keyId: key.id, cursor: ownCursorOf(call) };
  const page = query === null ? null : await call.own.applications(query);
  const shown = showOwnList<OwnApplication>(call, {
    title: 'Applications',
    path: '/applications',
    filters: [{ name: 'key', label: 'Environment', options: keyOptions(keys) }],
    caption: `Your ${key === null ? '' : `${key.environment} `}applications, newest first`,
    empty: 'You have not submitted an application yet. The documentation shows how to submit one.',
    columns: columnsOf(call),
    page: page ?? { items: [], nextCursor: null },
    before: <SearchForm call={call} failed={failed} />,
  });
  return failed === null ? shown : { ...shown, status: 404 };
}

/** Posts the text, because an id of the partner may be an e-mail address, which must not get into an address. */
function SearchForm({ call, failed }: { readonly call: PortalCall; readonly failed: FailedSearch | null }) {
  return (
    <section class="card">
      <form class="inline" method="post" action={call.at('/applications')}>
        <TextField
          name="q"
          label="Find an application by your own id, or by ours"
          hint="Your own id is the sourceApplicationId of the submission."
          error={failed?.problem}
          value={failed?.text ?? null}
          isRequired
          maxLength={200}
        />
        <button type="submit">Find</button>
      </form>
    </section>
  );
}

async function search(call: PortalAction): Promise<PageContent | Redirection> {
  const text = call.form.text('q');
  if (text === null) return { kind: 'redirect', to: call.at('/applications') };
  const id = await findId(call, text);
  if (id !== null) return { kind: 'redirect', to: call.at(`/applications/${id}`) };
  return showApplications(call, {
    text,
    problem:
      'You have no application with this id. Write it exactly as you sent it, with the same letter case.',
  });
}

async function findId({ own }: PortalCall, text: string): Promise<ApplicationId | null> {
  const byOurs = isLibraryId('application', text) ? await own.application(text as ApplicationId) : null;
  if (byOurs !== null) return byOurs.id;
  for (const { id: keyId } of await own.keys()) {
    const found = await own.applications({ keyId, sourceApplicationId: text });
    const [first] = found?.items ?? [];
    if (first !== undefined) return first.id;
  }
  return null;
}

function columnsOf(call: PortalCall): readonly Column<OwnApplication>[] {
  return [
    {
      header: 'Your id',
      cell: ({ id, sourceApplicationId }) => (
        <a href={call.at(`/applications/${id}`)} title={id}>
          {sourceApplicationId ?? `without one: ${shortId(id)}`}
        </a>
      ),
    },
    { header: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
    { header: 'Stage', cell: ({ currentStage }) => currentStage },
    { header: 'Submitted', cell: ({ submittedAt }) => <Time at={submittedAt} /> },
    {
      header: 'Last change of the status',
      cell: ({ lastStatusChangeAt }) => <Time at={lastStatusChangeAt} />,
    },
    { header: 'Job', cell: ({ jobId }) => <Id value={jobId} /> },
  ];
}

async function showApplication(call: PortalCall): Promise<PageContent> {
  const found = await mustFind(call.own.application(call.param('id') as ApplicationId));
  const { id, keyId, sourceApplicationId, jobId, status, currentStage } = found;
  const { submittedAt, lastStatusChangeAt } = found;
  const body = (
    <Section title="Application">
      <FactList
        facts={[
          ['Status', <StateBadge state={status} />],
          ['Stage', currentStage],
          ['Submitted', <Time at={submittedAt} />],
          ['Last change of the status', <Time at={lastStatusChangeAt} />],
          ['Environment', environmentOf(await call.own.keys(), keyId)],
          ['Your id', sourceApplicationId],
          ['Job', <Id value={jobId} />],
          ['Our id', <Id value={id} />],
        ]}
      />
      <p class="hint">
        These are the values that GET /applications/{'{id}'} returns. A decision also causes the event
        application.status_changed.
      </p>
    </Section>
  );
  const title = `Application ${sourceApplicationId ?? shortId(id)}`;
  return { kind: 'page', title, crumbs: [{ label: 'Applications', href: call.at('/applications') }], body };
}

/** The partner's own applications, with what the API returns of each. */
export const portalApplicationsScreen: PortalScreen = {
  name: 'applications',
  label: 'Applications',
  path: '/applications',
  rights: ['applications'],
  pages: {
    '/applications': (call) => showApplications(call),
    '/applications/:id': showApplication,
  },
  actions: { '/applications': search },
};
