import type { Support } from '@partner-hiring/core';
import { MaybeLink } from '../../view/parts.js';
import type { PortalCall } from '../portal-call.js';

/** Whom to ask. Without an address, a link to the documentation, which says where to look. */
export function SupportLink({ call }: { readonly call: PortalCall }) {
  const { support } = call.facts;
  if (!hasAddress(support)) return <MaybeLink href={call.link('docs', '')}>the support</MaybeLink>;
  return <SupportAddress support={support} />;
}

/** Returns whether a partner can ask somebody. */
export function hasAddress({ email, url }: Support): boolean {
  return email !== undefined || url !== undefined;
}

/** The e-mail address of the support, its page, or both. */
export function SupportAddress({ support: { email, url } }: { readonly support: Support }) {
  return (
    <>
      {email === undefined ? null : <a href={`mailto:${email}`}>{email}</a>}
      {email === undefined || url === undefined ? null : ' or '}
      {url === undefined ? null : <a href={url}>{url}</a>}
    </>
  );
}
