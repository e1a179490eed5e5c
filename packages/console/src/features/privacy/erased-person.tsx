import type { ApplicationDetails, ApplicationId } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { Gate } from '../../gate/gate.js';
import { LABELS } from '../../labels.js';
import type { Sections } from '../../screens/sections.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Note, Section, Time } from '../../view/parts.js';

/**
 * Finds the applications that were erased together with one. The audit names at most 20 of an act. Without the right to
 * read it, finds only this one.
 */
export async function findErasedTogether(
  gate: Gate,
  application: ApplicationDetails,
): Promise<readonly ApplicationDetails[]> {
  if (!gate.may('audit:read')) return [application];
  const { id } = application;
  const { items } = await gate.call('audit.list', { object: { kind: 'application', id } });
  const objects = items.filter(({ act }) => act === 'candidates.erase').flatMap((entry) => entry.objects);
  const others = new Set(
    objects.flatMap(({ kind, id: other }) => (kind === 'application' && other !== id ? [other] : [])),
  );
  const found = await Promise.all(
    [...others].map((other) => gate.call('applications.find', { id: other as ApplicationId })),
  );
  const erased = found.filter((each) => each !== null).filter(({ erasedAt }) => erasedAt !== null);
  return [application, ...erased];
}

/** What was erased of a person, and whether the platform has acknowledged it. */
export async function ErasedPerson({
  call,
  application,
}: Pick<Sections['application'], 'call' | 'application'>): Promise<Child> {
  const erased = await findErasedTogether(call.gate, application);
  return (
    <Section title="Erased applications">
      <Note>The personal data of these applications was erased together.</Note>
      <DataTable
        caption="Erased applications"
        columns={[
          { header: LABELS.one.application, cell: ({ id }) => <Id value={id} /> },
          { header: LABELS.application.erasedAt, cell: ({ erasedAt }) => <Time at={erasedAt} /> },
          { header: 'Platform', cell: platformText },
        ]}
        rows={erased}
        empty="No application."
      />
      {call.gate.may('candidates:erase') ? (
        <ActionButton action={call.at(`/people/${application.id}/receipt`)} label="Download the receipt" />
      ) : null}
    </Section>
  );
}

/** Says when the platform acknowledged `candidate.erased`. */
function platformText({ erasureItem }: ApplicationDetails): Child {
  if (erasureItem === undefined || erasureItem === null) return 'was not told: the inbox was off';
  const { receivedAt, parkedAt } = erasureItem;
  if (receivedAt !== null) {
    return (
      <>
        acknowledged <Time at={receivedAt} />
      </>
    );
  }
  return parkedAt === null
    ? 'in the inbox, which the platform has not acknowledged yet'
    : 'refused for a day, and set aside';
}
