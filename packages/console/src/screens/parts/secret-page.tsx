import type { Crumb, PageContent } from '../../http/screen.js';
import { FactList, Note } from '../../view/parts.js';

/**
 * Returns a page that shows secrets once. It must answer a POST: then the secrets are in no address, in no cookie and in
 * no history. A reload sends the POST again, so the act must refuse to happen twice: see `once` of `defineAct`.
 */
export function secretPage({
  title,
  text,
  secrets,
  crumbs,
  next,
}: {
  readonly title: string;
  /** What to do with the secrets. */
  readonly text: string;
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly crumbs: readonly Crumb[];
  readonly next: { readonly label: string; readonly href: string };
}): PageContent {
  const body = (
    <section class="card">
      <Note tone="warn">Save this now. It is not shown again, also not by a reload of this page.</Note>
      <p>{text}</p>
      <FactList facts={secrets.map(([name, value]) => [name, <code>{value}</code>] as const)} />
      <p>
        <a href={next.href}>{next.label}</a>
      </p>
    </section>
  );
  return { kind: 'page', title, crumbs, body };
}
