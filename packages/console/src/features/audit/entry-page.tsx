import type { AuditId } from '@partner-hiring/core';
import { mustFind } from '../../gate/refusals.js';
import { type PageContent, pageBelow, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { actSentence, changesText, doorText } from '../../screens/parts/act-words.js';
import { ListPager } from '../../screens/parts/define-list.js';
import { DataTable } from '../../view/data-table.js';
import { Id } from '../../view/ids.js';
import { Code, countText, FactList, Section, Time } from '../../view/parts.js';
import { ObjectLink } from './object-link.js';

/** One act with all of its objects. */
export async function showEntry(call: ScreenCall): Promise<PageContent> {
  const { gate, param, query } = call;
  const id = param('id') as AuditId;
  const cursor = query.text('cursor') ?? undefined;
  const entry = await mustFind(gate.call('audit.find', { id, cursor }));
  const { items: objects, nextCursor } = entry.allObjects;
  const facts = [
    [LABELS.time, <Time at={entry.at} />],
    [LABELS.act.who, entry.actor.id],
    [LABELS.act.through, doorText(entry)],
    [LABELS.one.partner, entry.keyLabel],
    ['Changed in all', entry.count === null ? null : countText(entry.count)],
    ['Selected by', changesText({ before: null, after: entry.filter })],
    [LABELS.act.change, changesText(entry)],
    [LABELS.act.command, <Code text={entry.act} />],
    [LABELS.id, <Id value={id} />],
  ] as const;
  const body = (
    <>
      <Section title={LABELS.one.act}>
        <p>{actSentence(entry)}</p>
        <FactList facts={facts.filter(([, value]) => value !== null)} />
      </Section>
      <Section title={LABELS.all.objects}>
        <DataTable
          caption="What the act changed, the main object first"
          empty="The act has no more objects."
          rows={objects}
          columns={[
            {
              header: LABELS.one.object,
              cell: ({ name, ...object }) => <ObjectLink call={call} object={object} name={name} />,
            },
            { header: 'Changed', cell: ({ at }) => <Time at={at} /> },
          ]}
        />
        <ListPager call={call} path={`/audit/${id}`} next={nextCursor} />
      </Section>
    </>
  );
  return pageBelow({ label: LABELS.all.audit, href: call.link('audit', '') }, LABELS.one.act, body);
}
