import type { ApplicationRecord } from './application.js';
import { emailKey } from './email-address.js';
import type { ApplicationId } from './ids.js';

/** Doubtful input of an application that was accepted. It contains nothing of the candidate. */
export interface ApplicationWarning {
  /** More codes may follow. */
  readonly code: 'phone_of_one_digit' | 'url_in_name' | 'same_email_for_job';
  /** The doubtful field, such as `candidate.phone`. */
  readonly field: string;
  readonly message: string;
  /** Only with `same_email_for_job`: the earlier applications, also of other partners, oldest first and at most ten. */
  readonly applicationIds?: readonly ApplicationId[];
}

/** Limits the size of an item. */
const MOST_EARLIER = 10;

/** Calling codes of one and two digits. All others have three. ITU-T E.164. */
const SHORT_CODES = '[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]';
const ONE_DIGIT = new RegExp(`^\\+(?:${SHORT_CODES}|(?!${SHORT_CODES})\\d{3})(\\d)\\1+$`);

const ENDINGS =
  'com|net|org|info|biz|xyz|top|site|online|shop|store|club|app|dev|link|click|live|pro|io|co|me|ly|ru|cn|de|fr|uk|us|in|br|tk';
/** A scheme, `www.`, a host with a path, or a host with a common ending. */
const URL_IN_TEXT = new RegExp(
  `[a-z][a-z\\d+.-]{0,20}://|\\bwww\\.[a-z\\d]|[a-z\\d-]{1,63}\\.[a-z]{2,20}/|[a-z\\d-]{2,63}\\.(?:${ENDINGS})(?![\\p{L}\\p{N}.-])`,
  'iu',
);

/**
 * Returns what is doubtful about an application.
 * @param others - the stored applications of the same e-mail address, in any order; the application may be among them.
 */
export function warningsOf(
  application: ApplicationRecord,
  others: readonly ApplicationRecord[],
): readonly ApplicationWarning[] {
  const { candidate } = application;
  const warnings: ApplicationWarning[] = [];
  for (const name of ['firstName', 'lastName'] as const) {
    if (!URL_IN_TEXT.test(candidate[name])) continue;
    warnings.push({ code: 'url_in_name', field: `candidate.${name}`, message: 'The name contains a URL.' });
  }
  if (ONE_DIGIT.test(candidate.phone)) {
    const message = 'The phone number repeats one digit.';
    warnings.push({ code: 'phone_of_one_digit', field: 'candidate.phone', message });
  }
  const earlier = others.filter((other) => isSameEarlier(other, application)).sort(byTime);
  if (earlier.length > 0) {
    const message = 'An earlier application to the same job has the same e-mail address.';
    const applicationIds = earlier.slice(0, MOST_EARLIER).map(({ id }) => id);
    warnings.push({ code: 'same_email_for_job', field: 'candidate.email', message, applicationIds });
  }
  return warnings;
}

function isSameEarlier(other: ApplicationRecord, own: ApplicationRecord): boolean {
  return (
    other.jobId === own.jobId &&
    other.erasedAt === null &&
    byTime(other, own) < 0 &&
    emailKey(other.candidate.email) === emailKey(own.candidate.email)
  );
}

function byTime(one: ApplicationRecord, other: ApplicationRecord): number {
  return one.submittedAt - other.submittedAt || (one.id < other.id ? -1 : Number(one.id > other.id));
}
