import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { findCountry } from '../domain/countries.js';
import { barePhone } from '../domain/text.js';
import type { PhoneNumbers } from '../ports/host-services.js';

/** Invisible characters, such as the direction marks that address books add. */
const UNSEEN = /\p{Cf}/gu;
/** Blanks and separators that people type, but that the library does not know. */
const SEPARATORS = /[\s·•‧∙⁄_'’〜]+/gu;
/** Digits of scripts that the library does not know, such as Devanagari. */
const OTHER_DIGITS = /(?![0-9０-９٠-٩۰-۹])\p{Nd}/gu;
/** A plus sign that is doubled, followed by 00, or in brackets: `++44`, `+0044`, `(+44)`. */
const PLUS = /^(?:[+＋][\s+＋]*(?:[+＋]|00)|\(\s*[+＋])\s*(\d+)\s*\)?/;
/** Matches what Brazilians write for the code of a carrier, such as `0xx`: callers had to choose a carrier. */
const CARRIER = /(?<!\d)0\s?(?:xx|\*\*)\s?(?=\d{2})/i;

/**
 * Prefixes that people still dial for mobile numbers, although the numbering plan has dropped them. In Mexico: 1 and,
 * before national numbers, 01, 02, 044 and 045. In Chile: 09. In Argentina, the library turns a 15 after the area code
 * into a 9 before it, unless the 9 is there already, or a 15 or 0 stands before the area code.
 */
const OLD_PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/^\+52(?:1|0[12]|04[45])(?=\d{10}$)/, '+52'],
  [/^\+5609(?=\d{8}$)/, '+569'],
  [/^\+54(?:9?15|90)(?=\d{10}$)/, '+549'],
  [/^\+549(?=\d{12}$)/, '+54'],
];

/** Matches old Chilean mobile numbers, which the library takes for possible numbers. */
const OLD_CHILEAN = /^\+5609\d{8}$/;

/** Some numbers change again when they are parsed again, for example if they begin with two zeros. */
const MOST_ROUNDS = 6;

/** Matches a number that names its country: by a plus sign, or by the context of a `tel:` link. */
const HAS_COUNTRY = /^[+＋]|;phone-context=\+/;

/**
 * Returns a phone number port with the rules of libphonenumber. A number with a plus sign must have a possible length. One
 * without must be valid in the job's country, or in another country with the same calling code. Rejects extensions.
 * @example
 * createPhoneNumbers().normalize('(415) 555-0123', 'US'); // '+14155550123'
 */
export function createPhoneNumbers(): PhoneNumbers {
  let normalize: PhoneNumbers['normalize'] | null = null;
  return {
    normalize(phone, country) {
      // The tables of all countries are made when the first number comes, because a start does not need them.
      normalize ??= createNormalize();
      return normalize(phone, country);
    },
  };
}

function createNormalize(): PhoneNumbers['normalize'] {
  const isPossibleE164 = createE164Check();
  const regions = new Set<string>(getCountries());
  return (phone, country) => {
    if (isPossibleE164(phone) && !OLD_CHILEAN.test(phone)) return phone;
    const text = plainNumber(phone);
    if (HAS_COUNTRY.test(text)) return parse(text, null);
    if (text.startsWith('00')) return validOnly(parse(`+${text.slice(2)}`, null));
    const code = country.trim().toUpperCase();
    const region = regions.has(code) ? code : findCountry(country);
    return region !== null && regions.has(region) ? parseNational(text, region as CountryCode) : null;
  };

  function parseNational(text: string, region: CountryCode): string | null {
    const phone = validOnly(parse(text, region));
    return phone?.startsWith(`+${getCountryCallingCode(region)}`) === true ? phone : null;
  }

  function parse(text: string, region: CountryCode | null): string | null {
    const options = region === null ? { extract: false } : { extract: false, defaultCountry: region };
    const number = parsePhoneNumberFromString(text, options);
    return number === undefined || number.ext !== undefined ? null : settle(number);
  }

  /** Parses the number again until it no longer changes, and returns this form. Null if no form is accepted. */
  function settle(first: PhoneNumber): string | null {
    let number: PhoneNumber | undefined = first;
    for (let round = 0; number !== undefined && round < MOST_ROUNDS; round += 1) {
      const isCurrent = number.isPossible() && !OLD_CHILEAN.test(number.number);
      const phone: string = isCurrent ? number.number : withoutOldPrefix(number.number);
      if (isPossibleE164(phone)) return phone;
      if (phone === number.number && !number.isPossible()) return null;
      number = parsePhoneNumberFromString(phone, { extract: false });
      if (number?.number === phone && number.isPossible()) return phone;
    }
    return null;
  }
}

function validOnly(phone: string | null): string | null {
  return phone !== null && parsePhoneNumberFromString(phone)?.isValid() === true ? phone : null;
}

/** Returns a number in a form that the library can read. */
function plainNumber(phone: string): string {
  return barePhone(phone.replaceAll(UNSEEN, ''))
    .replaceAll(OTHER_DIGITS, digitOf)
    .replaceAll(SEPARATORS, ' ')
    .replace(PLUS, '+$1')
    .replace(CARRIER, '');
}

const ANY_DIGIT = /\p{Nd}/u;

/** Unicode has the ten digits of a script, or of several styles, in a row. */
function digitOf(character: string): string {
  const at = character.codePointAt(0) ?? 0;
  let first = at;
  while (ANY_DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((at - first) % 10);
}

function withoutOldPrefix(phone: string): string {
  for (const [prefix, code] of OLD_PREFIXES) if (prefix.test(phone)) return phone.replace(prefix, code);
  return phone;
}

/** The numbering plan of a calling code, merged from all countries that share the code. */
interface Plan {
  readonly lengths: ReadonlySet<number>;
  /** Matches a national prefix. Parsing might drop or replace such a prefix. */
  readonly prefix: RegExp | null;
}

interface CountryPlan {
  possibleLengths(): readonly number[];
  nationalPrefixForParsing?(): string | undefined;
}

const ANYTHING = '';

const DIGITS = /^\+[1-9]\d{5,14}$/;
const LONGEST_CALLING_CODE = 3;

/**
 * Returns a function that recognizes numbers in E.164 form at a twentieth of the cost of libphonenumber. True
 * means that libphonenumber would return the number unchanged. False means that only libphonenumber can tell.
 */
function createE164Check(): (phone: string) => boolean {
  const plans = readPlans();
  return (phone) => {
    if (!DIGITS.test(phone)) return false;
    for (let end = 2; end <= 1 + LONGEST_CALLING_CODE; end += 1) {
      const plan = plans.get(phone.slice(1, end));
      if (plan === undefined) continue;
      const national = phone.slice(end);
      return plan.lengths.has(national.length) && !plan.prefix?.test(national);
    }
    return false;
  };
}

function readPlans(): ReadonlyMap<string, Plan> {
  const countries = new Map<string, CountryPlan[]>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    countries.set(code, [...(countries.get(code) ?? []), planOf(country)]);
  }
  return new Map([...countries].map(([code, plans]) => [code, combine(plans)]));
}

function planOf(country: CountryCode): CountryPlan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as unknown as CountryPlan;
}

function combine(plans: readonly CountryPlan[]): Plan {
  const [first = [], ...others] = plans.map((plan) => plan.possibleLengths());
  const prefixes = new Set(plans.map(prefixOf).filter((prefix) => prefix !== undefined));
  return {
    lengths: new Set(first.filter((length) => others.every((lengths) => lengths.includes(length)))),
    prefix: prefixes.size === 0 ? null : new RegExp(`^(?:${[...prefixes].join('|')})`),
  };
}

function prefixOf(plan: CountryPlan): string | undefined {
  return plan.nationalPrefixForParsing === undefined ? ANYTHING : plan.nationalPrefixForParsing();
}
