import { MaybeLink } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';

/** Whom to ask. Without an address, a link to the documentation, which says where to look. */
export function SupportLink({ call }: { readonly call: PortalCall }) {
  const { support } = call.facts;
  if (support === null) return <MaybeLink href={call.link('docs', '')}>the support</MaybeLink>;
  if (/^https?:\/\//.test(support)) return <a href={support}>{support}</a>;
  return /^[^\s@]+@[^\s@]+$/.test(support) ? (
    <a href={`mailto:${support}`}>{support}</a>
  ) : (
    <span>{support}</span>
  );
}
