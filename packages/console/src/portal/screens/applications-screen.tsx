import type { ApplicationId, OwnApplication } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { isLibraryId } from '../../http/library-id.js';
import { type PageContent, pageBelow, type Redirection } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { cursorOf } from '../../screens/parts/define-list.js';
import type { Column } from '../../view/data-table.js';
import { TextField } from '../../view/forms.js';
import { Id, shortId } from '../../view/ids.js';
import { FactList, Section, StateBadge, Time } from '../../view/parts.js';
import { definePortalList, type PortalAction, type PortalCall, type PortalScreen } from '../portal-call.js';
import { chosenKey, environmentOf, KEY_FIELD, NO_OWN_ROWS } from './own-keys.js';

/** A search that found nothing. */
interface FailedSearch {
  readonly text: string;
  readonly problem: string;
}

/** @param failed - the search that led to the list, if it found nothing. */
function listOf(failed: FailedSearch | null) {
  return definePortalList<OwnApplication>({
    title: LABELS.all.applications,
    path: '/applications',
    fields: [KEY_FIELD],
    read: async (call, fields) => {
      const key = chosenKey(await call.own.keys(), fields.text('key'));
      const page = key && (await call.own.applications({ keyId: key.id, cursor: cursorOf(fields) }));
      return {
        ...(page ?? NO_OWN_ROWS),
        caption: `Your ${key === null ? '' : `${key.environment} `}applications, newest first`,
        empty: 'You have not submitted an application yet. The documentation shows how to submit one.',
        columns: columnsOf(call),
        before: <SearchForm call={call} failed={failed} />,
      };
    },
  });
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
  const problem =
    'You have no application with this id. Write it exactly as you sent it, with the same letter case.';
  const shown = await listOf({ text, problem })(call);
  return shown.kind === 'page' ? { ...shown, status: 404 } : shown;
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
    { header: LABELS.application.status, cell: ({ status }) => <StateBadge state={status} /> },
    { header: LABELS.application.stage, cell: ({ currentStage }) => currentStage },
    { header: LABELS.application.submittedAt, cell: ({ submittedAt }) => <Time at={submittedAt} /> },
    {
      header: LABELS.application.lastStatusChangeAt,
      cell: ({ lastStatusChangeAt }) => <Time at={lastStatusChangeAt} />,
    },
    { header: LABELS.one.job, cell: ({ jobId }) => <Id value={jobId} /> },
  ];
}

async function showApplication(call: PortalCall): Promise<PageContent> {
  const found = await mustFind(call.own.application(call.param('id') as ApplicationId));
  const { id, keyId, sourceApplicationId, jobId, status, currentStage } = found;
  const { submittedAt, lastStatusChangeAt } = found;
  const body = (
    <Section title={LABELS.one.application}>
      <FactList
        facts={[
          [LABELS.application.status, <StateBadge state={status} />],
          [LABELS.application.stage, currentStage],
          [LABELS.application.submittedAt, <Time at={submittedAt} />],
          [LABELS.application.lastStatusChangeAt, <Time at={lastStatusChangeAt} />],
          [LABELS.environment, environmentOf(await call.own.keys(), keyId)],
          ['Your id', sourceApplicationId],
          [LABELS.one.job, <Id value={jobId} />],
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
  return pageBelow({ label: LABELS.all.applications, href: call.at('/applications') }, title, body);
}

/** The partner's own applications, with what the API returns of each. */
export const portalApplicationsScreen: PortalScreen = {
  name: 'applications',
  label: LABELS.all.applications,
  path: '/applications',
  rights: ['applications'],
  pages: {
    '/applications': listOf(null),
    '/applications/:id': showApplication,
  },
  actions: { '/applications': search },
};
