import type { KeyId, Readiness, ReadinessEvidence, ReadinessRow } from '@partner-hiring/core';
import type { PageCall, ScreenCall } from '../../http/screen.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { countText, Section, StateBadge, Time } from '../../view/parts.js';
import { Prose } from '../../view/prose.js';
import { NamedLink } from '../parts/names.js';

/** The go-live checklist of a key: what it has proved, and how to get the rest. */
export async function ReadinessSection({
  call,
  keyId,
}: {
  readonly call: ScreenCall;
  readonly keyId: KeyId;
}) {
  const readiness = await call.gate.call('keys.readiness', { keyId });
  return (
    <Section title="Go-live">
      <ReadinessTable call={call} readiness={readiness} of="the key" />
      {call.gate.may('keys:probe') ? (
        <ActionButton action={call.at(`/keys/${keyId}/probe`)} label="Probe the endpoint" tone="secondary" />
      ) : null}
    </Section>
  );
}

/** The items of the checklist, each with its proof or how to get it. */
export function ReadinessTable({
  call,
  readiness: { items, probedAt },
  of,
}: {
  readonly call: PageCall;
  readonly readiness: Readiness;
  /** Who has proved them, such as `the key`. */
  readonly of: string;
}) {
  const done = items.filter(({ isDone }) => isDone).length;
  return (
    <>
      <DataTable
        caption={`What ${of} has proved with requests and events: ${countText(done)} of ${countText(items.length)}`}
        empty=""
        rows={items}
        columns={[
          { header: 'Item', cell: ({ title }) => title },
          { header: 'State', cell: (row) => <ItemBadge row={row} /> },
          { header: 'Since', cell: ({ evidence }) => <Time at={evidence?.firstAt ?? null} /> },
          { header: 'Proof, or how to get it', cell: (row) => <Proof call={call} row={row} /> },
        ]}
      />
      <p class="hint">
        Last probed: <Time at={probedAt} />
      </p>
    </>
  );
}

function ItemBadge({ row: { isDone, isRequired } }: { readonly row: ReadinessRow }) {
  if (isDone) return <StateBadge state="done" tone="good" />;
  return <StateBadge state={isRequired ? 'required' : 'open'} tone={isRequired ? 'bad' : 'calm'} />;
}

function Proof({ call, row }: { readonly call: PageCall; readonly row: ReadinessRow }) {
  const { evidence, reason, how } = row;
  if (evidence === null) return <Prose text={`${reason} ${how}`} />;
  return <EvidenceId call={call} evidence={evidence} />;
}

/** A request leads to its page, as long as the request log has it. */
function EvidenceId({
  call,
  evidence: { kind, lastId },
}: {
  readonly call: PageCall;
  readonly evidence: ReadinessEvidence;
}) {
  if (kind === 'event') return <Id value={lastId} />;
  return <NamedLink href={call.link('requests', `/${lastId}`)} name="a request" id={lastId} />;
}
