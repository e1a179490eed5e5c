import type { AuditObject, AuditObjectKind } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import type { ConsoleRight } from '../../rights.js';
import { shortId } from '../../view/ids.js';
import { MaybeLink } from '../../view/parts.js';

const SCREENS: Readonly<Partial<Record<AuditObjectKind, string>>> = {
  application: 'applications',
  key: 'keys',
  partner: 'partners',
  job: 'jobs',
  company: 'companies',
  endpoint: 'endpoints',
  operation: 'operations',
};

/** The right that an actor needs to see the names of a kind. */
const RIGHT_OF_NAMES: Readonly<Partial<Record<AuditObjectKind, ConsoleRight>>> = {
  key: 'keys:read',
  endpoint: 'keys:read',
  partner: 'partners:read',
  job: 'jobs:read',
  company: 'companies:read',
};

interface ObjectLinkProps {
  readonly call: ScreenCall;
  readonly object: AuditObject;
  readonly name: string | null;
}

/**
 * An object of an act: its name, if it has one that the actor may see, and the end of its id. Links to its page, or to the
 * acts on it.
 */
export function ObjectLink({ call, object: { kind, id }, name }: ObjectLinkProps) {
  const screen = SCREENS[kind];
  const href = screen === undefined ? null : call.link(screen, `/${id}`);
  const right = RIGHT_OF_NAMES[kind];
  const isNamed = name !== null && right !== undefined && call.gate.may(right);
  // The id of a list is its name.
  const text = isNamed ? `${kind} ${name}` : `${kind} ${kind === 'list' ? id : shortId(id)}`;
  return (
    <span class="object">
      <MaybeLink href={href ?? call.link('audit', '', { kind, id })}>
        <span class={isNamed ? undefined : 'short'} title={id}>
          {kind === 'inbox' ? 'inbox' : text}
        </span>
      </MaybeLink>
      {isNamed ? <small title={id}>{` ${shortId(id)}`}</small> : null}
    </span>
  );
}
