import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { PhoneNumbers } from '../ports/phone-numbers.js';
import { createE164Check } from './e164.js';
import { createRegions } from './regions.js';

/** Marks that nobody sees, such as those of direction: numbers copied out of address books carry them. */
const UNSEEN = /\p{Cf}/gu;

/**
 * Reads phone numbers with libphonenumber's rules. A number counts if it is *possible*, i.e. as long as
 * numbers of its country are: what is really in service changes too often to refuse a candidate over. One with an
 * extension does not count: E.164 has no place for it, and without it somebody else would answer.
 */
export function createPhoneNumbers(): PhoneNumbers {
  const regionOf = createRegions();
  const isPossibleE164 = createE164Check();
  return {
    normalize: (phone, country) => {
      if (isPossibleE164(phone)) return phone;
      const region = regionOf(country) as CountryCode | null;
      const options = { extract: false, ...(region === null ? {} : { defaultCountry: region }) };
      const number = parsePhoneNumberFromString(phone.replaceAll(UNSEEN, '').trim(), options);
      return number?.isPossible() === true && number.ext === undefined ? number.number : null;
    },
  };
}
