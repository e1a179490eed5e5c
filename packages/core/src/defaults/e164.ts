import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

/** What the numbers of one calling code can be taken by, whichever of its countries they belong to. */
interface Plan {
  /** The lengths of a national number that are possible in each country of the code. */
  readonly lengths: ReadonlySet<number>;
  /** Matches what reading a number may drop or replace: a national prefix, in any country of the code. */
  readonly prefix: RegExp | null;
}

/** A country's plan in the library, whose types leave the prefix out. A version without it makes nothing sure. */
interface CountryPlan {
  possibleLengths(): readonly number[];
  nationalPrefixForParsing?(): string | undefined;
}

const ANYTHING = '';

const DIGITS = /^\+[1-9]\d{5,14}$/;
const LONGEST_CALLING_CODE = 3;

/**
 * Asks whether libphonenumber would take a number as it stands, sure of it only where the answer is yes: written
 * in E.164, of a length that is possible everywhere under its calling code, and without anything that reading
 * would drop. Most numbers are so, and finding out this way costs a twentieth of finding their country.
 */
export function createE164Check(): (phone: string) => boolean {
  const plans = readPlans();
  return (phone) => {
    if (!DIGITS.test(phone)) return false;
    // No calling code is the beginning of another.
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
