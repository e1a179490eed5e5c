import type { AuditId } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import type { PageContent, ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { Id } from '../../view/ids.js';
import { countText, FactList, Section, Time } from '../../view/parts.js';
import { actSentence, changesText, doorText } from '../parts/act-words.js';
import { ObjectLink } from '../parts/audit-object.js';
import { ListPager } from '../parts/define-list.js';

/** One act with all of its objects. */
export async function showEntry(call: ScreenCall): Promise<PageContent> {
  const { gate, param, query } = call;
  const id = param('id') as AuditId;
  const cursor = query.text('cursor') ?? undefined;
  const entry = await mustFind(gate.call('audit.find', { id, cursor }));
  const { items: objects, nextCursor } = entry.allObjects;
  const facts = [
    ['Time', <Time at={entry.at} />],
    ['Who', entry.actor.id],
    ['Through', doorText(entry)],
    ['Partner', entry.keyLabel],
    ['Changed in all', entry.count === null ? null : countText(entry.count)],
    ['Selected by', changesText({ before: null, after: entry.filter })],
    ['Change', changesText(entry)],
    ['Command', <code>{entry.act}</code>],
    ['Id', <Id value={id} />],
  ] as const;
  const body = (
    <>
      <Section title="Act">
        <p>{actSentence(entry)}</p>
        <FactList facts={facts.filter(([, value]) => value !== null)} />
      </Section>
      <Section title="Objects">
        <DataTable
          caption="What the act changed, the main object first"
          empty="The act has no more objects."
          rows={objects}
          columns={[
            {
              header: 'Object',
              cell: ({ name, ...object }) => <ObjectLink call={call} object={object} name={name} />,
            },
            { header: 'Changed', cell: ({ at }) => <Time at={at} /> },
          ]}
        />
        <ListPager call={call} path={`/audit/${id}`} next={nextCursor} />
      </Section>
    </>
  );
  return { kind: 'page', title: 'Act', crumbs: [{ label: 'Audit', href: call.link('audit', '') }], body };
}
