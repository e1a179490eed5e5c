import { isEmailAddress } from './email-address.js';
import { isPlainLine, isStorableText } from './text.js';

/** The longest e-mail address that mail servers accept. RFC 5321, section 4.5.3.1.3. */
export const CONTACT_EMAIL_MAX = 254;

/** Returns whether messages can be sent to an address. A quoted local part could be misread in a header. */
export function isContactEmail(email: string): boolean {
  if (email.length > CONTACT_EMAIL_MAX || email.includes('"')) return false;
  return isStorableText(email) && isPlainLine(email) && isEmailAddress(email);
}
