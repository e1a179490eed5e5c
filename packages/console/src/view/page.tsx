import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { CONSOLE_ASSETS } from '../assets/assets.js';
import type { ShownNotice } from '../http/notices.js';
import type { Crumb, PageContent } from '../http/screen.js';
import { MENU_FORM } from './data-table.js';
import { ActionButton } from './forms.js';
import { FactList } from './parts.js';
import { Prose } from './prose.js';

/** A link of the navigation. */
export interface NavigationLink {
  readonly label: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

interface PageProps {
  readonly page: PageContent;
  readonly notice: ShownNotice | null;
  /** The name in the header and in the title of the window. */
  readonly name: string;
  /** Who is signed in. Null if it is unknown. */
  readonly who: Child | null;
  /** The path of the first page, as browsers see it. */
  readonly base: string;
  readonly hasSearch: boolean;
  /** The name of the asset with the host's colours. */
  readonly brandStyle: string | null;
  /** The address of a page that signs out, or of a form that does. Null for neither. */
  readonly signOut: string | { readonly action: string } | null;
  readonly links: readonly NavigationLink[];
}

/** A whole page: header, navigation, breadcrumbs, heading, notice and content. */
export function ConsolePage({
  page,
  notice,
  name,
  who,
  base,
  hasSearch,
  brandStyle,
  signOut,
  links,
}: PageProps) {
  return html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} – ${name}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`${base}/assets/${CONSOLE_ASSETS.style.name}`} />
        {brandStyle === null ? null : <link rel="stylesheet" href={`${base}/assets/${brandStyle}`} />}
        <script src={`${base}/assets/${CONSOLE_ASSETS.script.name}`} defer />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="bar">
          <a class="brand" href={base}>
            {name}
          </a>
          {who === null || !hasSearch ? null : <SearchBox action={`${base}/search`} value={page.searched} />}
          {who === null ? null : (
            <div class="actor">
              <span>{who}</span>
              <SignOut to={signOut} />
            </div>
          )}
          {links.length === 0 ? null : (
            <nav class="screens" aria-label="Screens">
              {links.map(({ label, href, isCurrent }) => (
                <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                  {label}
                </a>
              ))}
            </nav>
          )}
        </header>
        <main id="content" tabindex={-1}>
          <Breadcrumbs crumbs={page.crumbs ?? []} title={page.title} />
          <h1>{page.title}</h1>
          {notice === null ? null : (
            <p class={`notice ${notice.kind}`} role={notice.kind === 'refused' ? 'alert' : 'status'}>
              <Prose text={notice.text} />
            </p>
          )}
          {page.body}
        </main>
        <form id={MENU_FORM} method="post" />
        {who === null ? null : <Keys />}
      </body>
    </html>
  )}`;
}

/** Posts the text, because a name or an address must not get into an address of the console. */
function SearchBox({ action, value }: { readonly action: string; readonly value?: string | undefined }) {
  return (
    <form class="find" method="post" action={action}>
      <input
        name="q"
        type="search"
        value={value}
        required
        minlength={2}
        maxlength={1000}
        autocomplete="off"
        aria-label="Search everything"
        placeholder="Search: name, e-mail, phone, id"
        title="A name, an e-mail address, a phone number or any id. Press / to get here."
        data-search-box=""
      />
    </form>
  );
}

const KEYS = [
  ['/', 'Search'],
  ['↓ ↑', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Choose the row'],
  ['.', 'Actions on the row'],
  ['?', 'These keys'],
] as const;

/** The list of keys. The script shows it. */
function Keys() {
  return (
    <div id="keys" popover="auto" role="dialog" aria-label="Keyboard">
      <FactList facts={KEYS} />
    </div>
  );
}

function SignOut({ to }: { readonly to: PageProps['signOut'] }) {
  if (to === null) return null;
  if (typeof to === 'string') return <a href={to}>Sign out</a>;
  return <ActionButton action={to.action} label="Sign out" tone="link" />;
}

function Breadcrumbs({ crumbs, title }: { readonly crumbs: readonly Crumb[]; readonly title: string }) {
  if (crumbs.length === 0) return null;
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {crumbs.map(({ label, href }) => (
          <li>{href === null ? label : <a href={href}>{label}</a>}</li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}
