import type { ApplicationRecord } from '../../domain/application.js';
import { emailSpellings } from '../../domain/email-address.js';
import type { ApplicationId } from '../../domain/ids.js';
import { isGiven } from '../../domain/optional.js';
import { flag, isTextUpTo, optional, optionalId, value } from '../../operator/command/fields.js';
import { type BrokenRule, InputProblem } from '../../operator/command/input.js';
import { definePageCursors, type Page, type PageOptions, readPage } from '../../operator/page-cursor.js';
import type { PhoneNumbers } from '../../ports/host-services.js';
import type { CandidateRange } from '../../ports/repositories/applications.js';
import type { Repositories } from '../../ports/storage.js';

/** A candidate, by exactly one of the three. */
export type CandidateTarget =
  | {
      /** One application. The same person may have others. */
      readonly applicationId: ApplicationId;
      readonly email?: undefined;
      readonly phone?: undefined;
    }
  | {
      /** In any spelling of the mailbox. An address with another tag, such as `+jobs`, is another mailbox. */
      readonly email: string;
      readonly applicationId?: undefined;
      readonly phone?: undefined;
    }
  | {
      /** In E.164 format, or a national number with `country`; another text is `INVALID_INPUT`. */
      readonly phone: string;
      /** An ISO 3166 alpha-2 code or English name, for a number without a country code. */
      readonly country?: string | undefined;
      readonly applicationId?: undefined;
      readonly email?: undefined;
    };

/** A checked target. */
export type CandidateLookUp =
  | { readonly by: 'id'; readonly id: ApplicationId }
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'phone'; readonly phone: string };

/** The data that each look-up of a candidate does not find, in English. */
export const NOT_SEARCHED: { readonly [By in CandidateLookUp['by']]: string } = {
  id: 'Other applications of this person were not searched.',
  email:
    'Other addresses of this person were not searched. An address with a tag, such as name+tag@example.org, is another one.',
  phone: 'Other phone numbers of this person were not searched.',
};

/** Returns what the look-up of a candidate does not find, in English, for the person who asked. */
export function notSearched(target: Partial<Record<'email' | 'phone', string | undefined>>): string {
  if (target.email !== undefined) return NOT_SEARCHED.email;
  return target.phone === undefined ? NOT_SEARCHED.id : NOT_SEARCHED.phone;
}

/** Addresses and numbers are shorter. Parsing a longer text would only cost time. */
const LONGEST = 500;

const filled = value<string>(
  // Null counts as omitted.
  (given) => given === null || (isTextUpTo(given, LONGEST) && given.trim() !== ''),
  `must be text of 1 to ${LONGEST} characters`,
  'text',
);

/** The fields of a target. */
export const candidate = {
  applicationId: optionalId('application', 'One application'),
  email: optional(filled, 'All applications with this e-mail address, in any spelling'),
  phone: optional(filled, 'All applications with this number, such as +14155550123'),
  country: optional(filled, 'The country of a number without a country code'),
};

/** The field of both erasures. */
export const clearSourceApplicationId = optional(
  flag,
  "Also clears the partner's own id; the partner sees the change",
);

interface Fields extends Readonly<Record<'email' | 'phone' | 'country', string | undefined>> {
  readonly applicationId: ApplicationId | undefined;
}

export function exactlyOne({ applicationId, email, phone, country }: Partial<Fields>): readonly BrokenRule[] {
  const given = [applicationId, email, phone].filter(isGiven);
  const isLone = isGiven(country) && !isGiven(phone);
  return [
    ...(given.length === 1 ? [] : [{ rule: 'must have one of applicationId, email and phone' }]),
    ...(isLone ? [{ at: ['country'], rule: 'only belongs to `phone`' }] : []),
  ];
}

/** Returns the look-up of a target. @throws InputProblem, which does not repeat the number. */
export function readCandidateTarget(
  { applicationId, email, phone = '', country }: Partial<Fields>,
  phones: PhoneNumbers,
): CandidateLookUp {
  if (isGiven(applicationId)) return { by: 'id', id: applicationId };
  if (isGiven(email)) return { by: 'email', email: email.trim() };
  const number = phones.normalize(phone, country ?? '');
  if (number !== null) return { by: 'phone', phone: number };
  throw new InputProblem(
    'phone must be a number in E.164 format, such as +14155550123, or a national number with `country`',
  );
}

/** Lists the applications of a look-up, in the order of their ids. An id also finds an erased application. */
export async function listOf(
  { applications, candidates }: Pick<Repositories, 'applications' | 'candidates'>,
  lookUp: CandidateLookUp,
  range: CandidateRange,
): Promise<readonly ApplicationRecord[]> {
  switch (lookUp.by) {
    case 'id': {
      const [found] = range.after === null ? await applications.find([lookUp.id]) : [];
      return found ? [found] : [];
    }
    case 'phone':
      return candidates.listByPhone(lookUp.phone, range);
    case 'email':
      return mergeLists(
        await Promise.all([
          candidates.listByEmail(lookUp.email, range),
          ...emailSpellings(lookUp.email).map((each) => candidates.listBySpelling(each, range)),
        ]),
        range.limit,
      );
  }
}

const CURSORS = definePageCursors<Pick<ApplicationRecord, 'id'>>('applications of a person', { id: 'id' });

/** Reads a page of `listOf`. */
export function readCandidatePage(
  read: Pick<Repositories, 'applications' | 'candidates'>,
  lookUp: CandidateLookUp,
  binding: readonly unknown[],
  page: PageOptions,
): Promise<Page<ApplicationRecord>> {
  return readPage(CURSORS, binding, page, ({ after, limit }) =>
    listOf(read, lookUp, { after: after?.id ?? null, limit }),
  );
}

function mergeLists(
  lists: readonly (readonly ApplicationRecord[])[],
  limit: number,
): readonly ApplicationRecord[] {
  const byId = new Map(lists.flat().map((application) => [application.id, application]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}
