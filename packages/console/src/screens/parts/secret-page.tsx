import type { Child } from 'hono/jsx';
import type { Crumb, PageContent } from '../../http/screen.js';
import { Secret } from '../../view/ids.js';
import { FactList, Note } from '../../view/parts.js';

interface SecretPageParts {
  readonly title: string;
  /** What to do with the secrets. */
  readonly text: string;
  /** Facts about the secrets, such as the partner that they belong to. */
  readonly facts?: readonly (readonly [name: string, value: Child])[];
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly crumbs: readonly Crumb[];
  readonly next: { readonly label: string; readonly href: string };
}

/**
 * Returns a page that shows secrets once. It must answer a POST, so that the secrets are in no URL, cookie or history.
 * Reloading the page sends the POST again, so the act must refuse to happen twice: see `once` of `defineAct`.
 */
export function secretPage({ title, text, facts = [], secrets, crumbs, next }: SecretPageParts): PageContent {
  const body = (
    <section class="card">
      <Note tone="warn">Save this now. It is not shown again, even if you reload this page.</Note>
      <p>{text}</p>
      <FactList
        facts={[...facts, ...secrets.map(([name, value]) => [name, <Secret value={value} />] as const)]}
      />
      <p>
        <a href={next.href}>{next.label}</a>
      </p>
    </section>
  );
  return { kind: 'page', title, crumbs, body };
}
