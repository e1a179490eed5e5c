import type { OwnKey } from '@partner-hiring/core';
import type { Notices } from '../http/notices.js';
import type { RunAction, Screen } from '../http/screen.js';
import type { Advice, PortalCall, PortalScreen } from '../portal/portal-call.js';
import type { WaitingQueue } from '../screens/queues/queue.js';
import type { Sections, ShowSection } from '../screens/sections.js';

/** The declaration of a feature for the console and the portal. */
export interface ConsoleFeature {
  /** The name of its room, here and in core. */
  readonly name: string;
  readonly screens?: readonly Screen[];
  readonly sections?: { readonly [Place in keyof Sections]?: ShowSection<Place> };
  /** The acts of the sections, by path. Each belongs to the screen of its page. */
  readonly acts?: { readonly [Place in keyof Sections]?: Readonly<Record<string, RunAction>> };
  /** What its acts say on the next page. */
  readonly notices?: { readonly sentences: Notices };
  /** Its queues of things that wait for somebody. Each has a list. */
  readonly queues?: readonly WaitingQueue[];
  /** Screens of the portal, each with the name of the screen that stands before it. */
  readonly portalScreens?: readonly { readonly after: string; readonly screen: PortalScreen }[];
  /** Says on the portal what the partner should do. */
  readonly advise?: (call: PortalCall, keys: readonly OwnKey[]) => Promise<readonly Advice[]>;
}
