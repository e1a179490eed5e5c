import type { AuthorizationFault } from '../../domain/partner-key.js';
import { type RequestRefusal, WIRE_ERRORS } from '../../domain/wire-errors.js';

const RESEND = WIRE_ERRORS.UNAUTHORIZED.operatorFix;

/** The rule behind each cause of `UNAUTHORIZED`. Partners get the same reply for all of them. */
export const AUTHORIZATION_REFUSALS: Readonly<Record<AuthorizationFault, RequestRefusal>> = {
  'Authorization.missing': {
    rule: 'Each request needs a valid API key. No `Authorization` header arrived.',
    fix: 'The partner sends `Authorization: Bearer <API_KEY>`. If it does so, a proxy or gateway removes the header: let it pass `Authorization` on.',
  },
  'Authorization.malformed': {
    rule: 'Each request needs a valid API key. The `Authorization` header is not `Bearer` with one whole key, or it arrived twice.',
    fix: `${RESEND} Look for another scheme such as Basic, quotes, a key that was cut off, and a proxy that adds a header.`,
  },
  'Authorization.unknown_key': {
    rule: 'Each request needs a valid API key. This one is well formed, but unknown, expired or revoked.',
    fix: `${RESEND} Check that the key is of this installation. The log has a \`warn\` line if the key was valid once.`,
  },
};
