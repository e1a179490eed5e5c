import type { KeyView, Page, Partner } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type { PageContent, Redirection, Screen, ScreenAction, ScreenCall } from '../../http/screen.js';
import { DataTable, Pager } from '../../view/data-table.js';
import { TextField } from '../../view/forms.js';
import { MaybeLink, Section, Time } from '../../view/parts.js';
import { explainRefusal, toDone, toRefused } from '../parts/after-act.js';
import { issueKey } from './issue-key.js';
import { lastUseOf } from './last-use.js';
import { showPartner } from './partner-page.js';

/** The partners and their keys. */
export const partnersScreen: Screen = {
  name: 'partners',
  label: 'Partners and keys',
  path: '/partners',
  rights: ['partners:read'],
  pages: { '/partners': showPartners, '/partners/:id': showPartner },
  actions: { '/partners': addPartner, '/partners/:id/issue': issueKey },
};

async function showPartners(call: ScreenCall): Promise<PageContent> {
  const { gate, query } = call;
  const cursor = query.text('cursor');
  const { items: partners, nextCursor } = await listPartners(call, cursor);
  const { keys } = await listKeysInScope(gate);
  const body = (
    <>
      <PartnerTable call={call} partners={partners} keys={keys} />
      <Pager
        first={cursor === null ? null : call.at('/partners')}
        next={nextCursor === null ? null : call.at('/partners', { cursor: nextCursor })}
      />
      {gate.isForAllPartners && gate.may('partners:create') ? (
        <Section title="Add a partner">
          <form class="inline" method="post" action={call.at('/partners')}>
            <TextField name="name" label="Name" isRequired />
            <button type="submit">Add</button>
          </form>
        </Section>
      ) : null}
    </>
  );
  return { kind: 'page', title: 'Partners and keys', body };
}

/** Lists a page of partners, or those that the actor's rights cover. */
async function listPartners({ gate }: ScreenCall, cursor: string | null): Promise<Page<Partner>> {
  const { partnerIds } = gate.actor;
  if (partnerIds === 'all') {
    return gate.call('partners.list', cursor === null ? {} : { cursor });
  }
  const found = await Promise.all(partnerIds.map((id) => gate.call('partners.find', { id })));
  return { items: found.flatMap((partner) => partner ?? []), nextCursor: null };
}

function PartnerTable({
  call,
  partners,
  keys,
}: {
  readonly call: ScreenCall;
  readonly partners: readonly Partner[];
  readonly keys: readonly KeyView[];
}) {
  const keysOf = (id: string) => keys.filter(({ key }) => key.partnerId === id);
  return (
    <DataTable
      caption="Partners, oldest first"
      empty="There is no partner yet. A partner is an applicant-tracking system that calls the API with its keys."
      rows={partners}
      columns={[
        { header: 'Partner', cell: ({ id, name }) => <a href={call.at(`/partners/${id}`)}>{name}</a> },
        { header: 'Id', cell: ({ id }) => <code>{id}</code> },
        {
          header: 'Keys',
          cell: ({ id }) =>
            keysOf(id).length === 0
              ? '–'
              : keysOf(id).map(({ key }) => (
                  <span class="object">
                    <MaybeLink href={call.link('keys', `/${key.id}`)}>{key.environment}</MaybeLink>
                  </span>
                )),
        },
        { header: 'Last used', cell: ({ id }) => <Time at={lastUseOf(keysOf(id))} /> },
        { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

async function addPartner(call: ScreenAction): Promise<PageContent | Redirection> {
  const back = call.at('/partners');
  const name = call.form.text('name');
  if (name === null) return toRefused(back, 'enter-partner-name');
  return explainRefusal(back, async () => {
    const { id } = await call.gate.call('partners.create', { name });
    return toDone(call.at(`/partners/${id}`), 'partner-added');
  });
}
