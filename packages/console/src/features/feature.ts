import type { Screen } from '../http/screen.js';
import type { PortalScreen } from '../portal/portal-call.js';

/** What a feature adds to the console and to the portal. */
export interface ConsoleFeature {
  /** The name of its room, here and in core. */
  readonly name: string;
  readonly screens?: readonly Screen[];
  /** Screens of the portal, each with the name of the screen that stands before it. */
  readonly portalScreens?: readonly { readonly after: string; readonly screen: PortalScreen }[];
}
