import { OperatorError } from '../errors.js';
import type { PhoneNumbers } from '../ports/phone-numbers.js';
import type { SecretBox } from '../ports/secret-box.js';

/**
 * The host's box as the library uses it. An asynchronous one, which JavaScript lets through, would have a promise stored
 * in the place of a signing secret that its partner is shown, and that nobody could sign with.
 */
export function withSealedText(box: SecretBox): SecretBox {
  return {
    seal: (secret, context) => textAtOnce('seal` of the `secretBox', box.seal(secret, context)),
    open: (sealed, context) => textAtOnce('open` of the `secretBox', box.open(sealed, context)),
  };
}

/** The host's reader of phone numbers as the library uses it: what it answers is stored. */
export function withNumbersAsText(phones: PhoneNumbers): PhoneNumbers {
  return {
    normalize(phone, country) {
      const answer = phones.normalize(phone, country);
      return answer === null ? null : textAtOnce('normalize` of the `phoneNumbers', answer);
    },
  };
}

/** @throws OperatorError `MISCONFIGURED` for anything but a text with something in it. */
function textAtOnce(method: string, answer: unknown): string {
  if (typeof answer === 'string' && answer !== '') return answer;
  const isPromise = answer instanceof Promise;
  // Whatever comes of it, nobody waits for it: Node would end the process if it rejects.
  if (isPromise) answer.catch(() => {});
  throw new OperatorError(
    'MISCONFIGURED',
    `\`${method}\` that createPartnerHiring was given must answer with a text at once; it gave ` +
      `${isPromise ? 'a promise. Fetch what it needs, such as a key, before createPartnerHiring is called' : 'none'}.`,
  );
}
