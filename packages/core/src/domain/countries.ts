import CODES from 'i18n-iso-countries/codes.json' with { type: 'json' };
import ENGLISH from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { getOrAdd } from './get-or-add.js';

const ALPHA_2: ReadonlySet<string> = new Set(CODES.map(([alpha2 = '']) => alpha2));

/** Names and short forms that the lists lack, normalized by {@link simplify}. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  america: 'US',
  'u k': 'GB',
  england: 'GB',
  britain: 'GB',
  'northern ireland': 'GB',
  scotland: 'GB',
  wales: 'GB',
  'united kingdom of great britain and northern ireland': 'GB',
  grossbritannien: 'GB',
  'grande bretagne': 'GB',
  'gran bretana': 'GB',
  'gran bretagna': 'GB',
  'groot brittannie': 'GB',
  el: 'GR',
  'republic of ireland': 'IE',
  holland: 'NL',
  'slovak republic': 'SK',
  macedonia: 'MK',
  bosnia: 'BA',
  emirates: 'AE',
  macau: 'MO',
  'mainland china': 'CN',
  'viet nam': 'VN',
  burma: 'MM',
  'east timor': 'TL',
  swaziland: 'SZ',
  'cabo verde': 'CV',
  'dr congo': 'CD',
  drc: 'CD',
  'democratic republic of congo': 'CD',
  'republic of congo': 'CG',
  vatican: 'VA',
  // Alpha-3 codes that were withdrawn.
  bur: 'MM',
  ddr: 'DE',
  rom: 'RO',
  scg: 'RS',
  sun: 'RU',
  tmp: 'TL',
  yug: 'RS',
  zar: 'CD',
};

/** The languages of `Intl` whose codes have three letters, or that have a second script. */
const MORE_LANGUAGES =
  'agq asa ast bas bem bez bgc bho blo brx ccp ceb cgg chr ckb csw dav doi dje dsb dua dyo ebu ewo fil fur gsw guz ' +
  'haw hsb jgo jmc kab kam kde kea kgp khq kkj kln kok ksb ksf ksh kxv lag lij lkt lmo lrc luo luy mai mas mer mfe ' +
  'mgh mgo mni mua mzn naq nds nmg nnh nqo nso nus nyn pcm prg raj rof rwk sah saq sat sbp scn seh ses shi smn syr ' +
  'szl teo tok twq tyv tzm vai vec vmw vun wae xnr xog yav yrl yue zgh az-Cyrl bs-Cyrl pa-Arab sr-Latn uz-Cyrl zh-Hant';

/** The countries that each name means. Most names mean one. */
type Names = Map<string, Set<string>>;

let english: Names | null = null;
let everyLanguage: Names | null = null;

/**
 * Returns the alpha-2 code of a country that is given by an ISO 3166-1 code, also a withdrawn one, by its name in any
 * language of `Intl`, or by a common short form. Null if the text means no country, or several. Decision 247.
 * @example
 * findCountry('Deutschland'); // 'DE'
 * findCountry('Remote'); // null
 */
export function findCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (ALPHA_2.has(code)) return code;
  const name = simplify(text);
  if (name === '') return null;
  english ??= englishNames();
  const found = english.get(name);
  if (found !== undefined) return onlyOne(found);
  const current = currentCode(code);
  if (current !== null) return current;
  // Takes a fifth of a second, once.
  everyLanguage ??= namesIn(languages());
  return onlyOne(everyLanguage.get(name) ?? new Set());
}

/** Whether `Intl` knows only English here, as in a Node that was built with small ICU. */
export function knowsOnlyEnglish(): boolean {
  return Intl.DisplayNames.supportedLocalesOf(['de']).length === 0;
}

/** The current code of an alpha-2 or numeric code that may be withdrawn. */
function currentCode(code: string): string | null {
  if (!/^(?:[A-Z]{2}|\d{3})$/.test(code)) return null;
  const current = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice('und-'.length) ?? '';
  return ALPHA_2.has(current) ? current : null;
}

function onlyOne(countries: ReadonlySet<string>): string | null {
  const [country = null, second] = countries;
  return second === undefined ? country : null;
}

function englishNames(): Names {
  const names = namesIn(['en']);
  for (const [alpha2 = '', alpha3 = ''] of CODES) addName(names, alpha3, alpha2);
  for (const [alpha2, given] of Object.entries(ENGLISH.countries)) {
    for (const name of [given].flat()) addName(names, name, alpha2);
  }
  for (const [name, alpha2] of Object.entries(OTHER_NAMES)) addName(names, name, alpha2);
  return names;
}

function languages(): readonly string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const two = letters.flatMap((first) => letters.map((second) => first + second));
  return Intl.DisplayNames.supportedLocalesOf([...two, ...MORE_LANGUAGES.split(' ')]);
}

function namesIn(locales: readonly string[]): Names {
  const names: Names = new Map();
  for (const locale of locales) {
    for (const style of ['long', 'short'] as const) {
      const displayNames = new Intl.DisplayNames(locale, { type: 'region', style, fallback: 'none' });
      for (const alpha2 of ALPHA_2) addName(names, displayNames.of(alpha2) ?? '', alpha2);
    }
  }
  return names;
}

function addName(names: Names, name: string, alpha2: string): void {
  const simple = simplify(name);
  if (simple === '') return;
  getOrAdd(names, simple, () => new Set()).add(alpha2);
}

/** Returns a name without case, punctuation and the accents of Latin letters. */
function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/ß/g, 'ss')
    .replace(/\bst\b\.?/g, 'saint')
    .replace(/[\u0300-\u036F'’]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');
}

export const MOST_COUNTRIES = 20;
