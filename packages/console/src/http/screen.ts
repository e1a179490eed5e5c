import type { Child } from 'hono/jsx';
import type { ConsoleActor } from '../actor.js';
import type { Gate } from '../gate/gate.js';
import type { ConsoleHandOver } from '../options.js';
import type { ConsoleRight } from '../rights.js';
import type { NoticeNames } from './notices.js';
import type { PublicPlace } from './public-place.js';

/** A link of a breadcrumb trail. */
export interface Crumb {
  readonly label: string;
  readonly href: string | null;
}

/** A page to show. */
export interface PageContent {
  readonly kind: 'page';
  /** The heading and the title of the window. It must not contain unmasked personal data. */
  readonly title: string;
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[];
  readonly body: Child;
  /** The text that was searched for. The search box of the page keeps it. Only for answers to a POST. */
  readonly searched?: string;
  /** Default: 200. */
  readonly status?: 200 | 400 | 401 | 403 | 404 | 405 | 409 | 410 | 429 | 500 | 503;
}

/** Where to go next. `to` is an address of the console. */
export interface Redirection {
  readonly kind: 'redirect';
  readonly to: string;
  /** The text above the content of the next page. */
  readonly notice?: NoticeNames;
}

/** Values of a live page: the text of each element with `data-live`. */
export interface LiveValues {
  readonly kind: 'live';
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** A file to download, as a stream. */
export interface FileContent {
  readonly kind: 'file';
  readonly name: string;
  readonly chunks: AsyncGenerator<string, void>;
}

/** A JSON file to download. */
export interface DownloadedFile {
  readonly kind: 'json';
  /** Letters, digits, dots, dashes and underscores. */
  readonly name: string;
  readonly text: string;
}

/** The fields of a query or a form. */
export interface Fields {
  /** The trimmed text of a field. Null if it is empty or missing. */
  text(name: string): string | null;
  /** All values of a field. */
  all(name: string): readonly string[];
  /**
   * Returns the instant in a field. The field is in UTC, in the form that `<input type="datetime-local">` sends. Null
   * if it is not an instant.
   */
  instant(name: string): number | null;
  /** Every field that is not empty. */
  entries(): readonly (readonly [string, string])[];
}

/** A request for a page, of the console or of the portal. */
export interface PageCall {
  /** A parameter of the path, such as `id`. */
  param(name: string): string;
  readonly query: Fields;
  /** The address of this page, without the query. */
  readonly here: string;
  /** Where the browser sees this console. */
  readonly place: PublicPlace;
  /** Whether people may say why they act, for the audit. */
  readonly takesReasons: boolean;
  /** The address of a page of this console. Omits parameters that are null. */
  at(path: string, query?: Readonly<Record<string, string | null>>): string;
  /**
   * The address of a page of another screen. Null if this console has no such screen, or if the actor may not open it.
   */
  link(screen: string, path: string, query?: Readonly<Record<string, string | null>>): string | null;
}

/** A request for a page of the console. */
export interface ScreenCall extends PageCall {
  readonly gate: Gate;
  readonly actor: ConsoleActor;
  /** For the hand-over sheet of a new partner. */
  readonly handOver: ConsoleHandOver;
}

/** The further properties of a POST. */
export interface FormCall {
  readonly form: Fields;
  /** Whether the form came from a confirmation page. */
  readonly isConfirmed: boolean;
}

/** A POST. The gate acts with the reason of the form's field `reason`. */
export interface ScreenAction extends ScreenCall, FormCall {}

/** Exports the list of a page. Answers a POST to the path of the page with `.csv` behind it. */
export type ExportList<Call = ScreenCall> = (
  call: Call & FormCall,
) => Promise<PageContent | Redirection | FileContent>;

export interface ShowPage<Call = ScreenCall> {
  (call: Call): Promise<PageContent | Redirection | LiveValues>;
  /** Set if the page is a list. */
  readonly csv?: ExportList<Call>;
}

export interface RunAction<Call = ScreenCall> {
  (call: Call & FormCall): Promise<PageContent | Redirection | DownloadedFile>;
  /** Set if the act shows no page of its own. */
  readonly isWithoutPage?: boolean;
}

/** A screen: its place, its rights, its pages and its acts. */
export interface Screen<Call = ScreenCall, Right extends string = ConsoleRight> {
  /** A name for links from other screens. */
  readonly name: string;
  /** The text in the navigation. Null for a screen that is only reached from others. */
  readonly label: string | null;
  /** The path of its first page below the console's path. */
  readonly path: string;
  /** For a screen without a label: the path of the screen that the navigation marks on its pages. */
  readonly within?: string;
  /** The actor needs one of these rights. Empty: every actor may open it. */
  readonly rights: readonly Right[];
  /** By path, with parameters such as `/applications/:id`. */
  readonly pages: Readonly<Record<string, ShowPage<Call>>>;
  /** POSTs, by path. */
  readonly actions?: Readonly<Record<string, RunAction<Call>>>;
}

/** Returns a page with one page above it. */
export function pageBelow(above: Crumb, title: string, body: Child): PageContent {
  return { kind: 'page', title, crumbs: [above], body };
}

/** Returns whether an actor may open a screen. */
export function maySee<Right extends string>(
  { rights }: Pick<Screen<never, Right>, 'rights'>,
  may: (right: Right) => boolean,
): boolean {
  return rights.length === 0 || rights.some(may);
}
