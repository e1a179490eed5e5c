import {
  type ApplicationId,
  type CompanyId,
  type JobId,
  type KeyId,
  OperatorError,
  type PartnerId,
} from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { shortId } from '../../view/ids.js';
import { type FactRow, MaybeLink } from '../../view/parts.js';

/** Reads the names of objects. Each is null if the actor may not read the object, or if it does not exist. */
export const nameOf = {
  key: (gate: Gate, keyId: KeyId) => read(async () => (await gate.call('keys.find', { id: keyId }))?.label),
  partner: (gate: Gate, id: PartnerId) => read(async () => (await gate.call('partners.find', { id }))?.name),
  job: (gate: Gate, id: JobId) => read(async () => (await gate.call('jobs.find', { id }))?.title),
  company: (gate: Gate, id: CompanyId) => read(async () => (await gate.call('companies.find', { id }))?.name),
  /** The masked name of the candidate. */
  application: (gate: Gate, id: ApplicationId) =>
    read(async () => {
      const found = await gate.call('applications.find', { id });
      if (found === null) return null;
      const { candidate, erasedAt } = found;
      return erasedAt === null ? `${candidate.firstName} ${candidate.lastName}` : 'erased';
    }),
};

async function read(find: () => Promise<string | null | undefined>): Promise<string | null> {
  try {
    return (await find()) ?? null;
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'RIGHT_MISSING') return null;
    throw error;
  }
}

interface NamedLinkProps {
  readonly href: string | null;
  readonly name: string | null;
  readonly id: string;
}

/** The name of an object with a link to its page, if there is one. Without a name, the end of its id. */
export function NamedLink({ href, name, id }: NamedLinkProps) {
  const text = name ?? shortId(id);
  const look = name === null ? 'short' : undefined;
  return href === null ? (
    <span class={look} title={id}>
      {text}
    </span>
  ) : (
    <a class={look} href={href} title={id}>
      {text}
    </a>
  );
}

/** A fact that names an object and links to its page. Null without an object. */
export function objectFact(
  call: ScreenCall,
  label: string,
  screen: string,
  id: string | null,
  name: string | null,
): FactRow {
  if (id === null) return null;
  return [label, <NamedLink href={call.link(screen, `/${id}`)} name={name} id={id} />];
}

/** A fact that links to a list with a filter, such as the requests of a key. */
export function listFact(
  call: ScreenCall,
  screen: 'alerts' | 'applications' | 'audit' | 'deliveries' | 'jobs' | 'requests' | 'totals',
  filter: Readonly<Record<string, string>>,
  text: string,
): FactRow {
  return [LABELS.all[screen], <MaybeLink href={call.link(screen, '', filter)}>{text}</MaybeLink>];
}

/** A fact that links to the alerts that were sent about a partner. Null for an actor for some partners. */
export function alertsFact(call: ScreenCall, partner: PartnerId): FactRow {
  return call.gate.isForAllPartners
    ? listFact(call, 'alerts', { partner }, 'Alerts sent about this partner')
    : null;
}

/** The masked name of an application's candidate with a link, and the end of the id, because masked names are alike. */
export async function CandidateLink({ call, id }: { readonly call: ScreenCall; readonly id: ApplicationId }) {
  const name = await nameOf.application(call.gate, id);
  return (
    <>
      <NamedLink href={call.link('applications', `/${id}`)} name={name ?? 'Application'} id={id} />{' '}
      <small title={id}>{shortId(id)}</small>
    </>
  );
}
