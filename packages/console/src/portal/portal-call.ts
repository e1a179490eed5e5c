import type { PartnerView, PortalRight } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import type { FormCall, PageCall, Screen } from '../http/screen.js';
import { defineActFor } from '../screens/parts/define-act.js';
import { type ListDeclaration, showList } from '../screens/parts/define-list.js';
import type { Tone } from '../view/parts.js';
import type { PortalActor } from './actor.js';
import type { CheckedPortalOptions } from './options.js';

/** A request for a page of the portal. */
export interface PortalCall extends PageCall {
  /** The data and the acts of the partner. Screens read data from here only. */
  readonly own: PartnerView;
  readonly actor: PortalActor;
  /** The host's addresses. */
  readonly facts: Pick<CheckedPortalOptions, 'api' | 'docs' | 'support'>;
  may(right: PortalRight): boolean;
}

/** Something that the partner should do, with the page where it does it. */
export interface Advice {
  readonly tone: Tone;
  readonly text: Child;
  readonly link: { readonly label: string; readonly href: string | null };
}

/** A POST to the portal. */
export type PortalAction = PortalCall & FormCall;

/** A screen of the portal. */
export type PortalScreen = Screen<PortalCall, PortalRight>;

/** Like `defineList`, for the portal. Its lists are not exported. */
export function definePortalList<Row>(list: ListDeclaration<Row, PortalCall>) {
  return showList(list, { keysOf: async () => [], exportForm: () => null });
}

/** Like `defineAct`, for the portal. */
export const definePortalAct = defineActFor<PortalCall>();
