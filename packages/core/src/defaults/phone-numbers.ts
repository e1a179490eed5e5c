import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { PhoneNumbers } from '../ports/phone-numbers.js';
import { createRegions } from './regions.js';

/**
 * Reads phone numbers with libphonenumber's rules. A number counts if it is *possible*, i.e. as long as
 * numbers of its country are: what is really in service changes too often to refuse a candidate over.
 */
export function createPhoneNumbers(): PhoneNumbers {
  const regionOf = createRegions();
  return {
    normalize: (phone, country) => {
      const region = regionOf(country) as CountryCode | null;
      const options = { extract: false, ...(region === null ? {} : { defaultCountry: region }) };
      const number = parsePhoneNumberFromString(phone, options);
      return number?.isPossible() === true ? number.number : null;
    },
  };
}
