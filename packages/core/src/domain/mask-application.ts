import type { ApplicationRecord, Candidate, ResumeState } from './application.js';

const HIDDEN = '…';

/** Returns the first letter of each word: `A… L…`. */
export function maskName(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => `${[...word][0] ?? ''}${HIDDEN}`).join(' ');
}

/** Returns the first letter and the domain: `a…@example.com`. */
export function maskEmail(email: string): string {
  if (email === '') return '';
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}${HIDDEN}${at < 0 ? '' : email.slice(at)}`;
}

/** Returns the last two digits: `…23`. */
export function maskPhone(phone: string): string {
  return phone === '' ? '' : `${HIDDEN}${phone.slice(-2)}`;
}

function maskCandidate({ firstName, lastName, email, phone }: Candidate): Candidate {
  return {
    firstName: maskName(firstName),
    lastName: maskName(lastName),
    email: maskEmail(email),
    phone: maskPhone(phone),
  };
}

function maskResume(resume: ResumeState): ResumeState {
  if (resume.kind === 'fetched') return { ...resume, location: HIDDEN };
  if (resume.kind !== 'failed') return resume;
  const { detail: _, ...rest } = resume;
  return rest;
}

/**
 * Returns an application with a masked candidate, such as `A… L…` and `a…@example.com`, and without answers and the address
 * of the résumé. The partner's texts `source` and `sourceApplicationId` stay. Empty texts, such as those of an erased
 * candidate, stay empty.
 * @example
 * const application = await operator.applications.find({ id: applicationId });
 * const candidate = application && maskApplication(application).candidate;
 */
export function maskApplication<Row extends ApplicationRecord>(application: Row): Row {
  const { candidate, answers, resumeUrl, resume } = application;
  return {
    ...application,
    candidate: maskCandidate(candidate),
    answers: Object.fromEntries(Object.keys(answers).map((key) => [key, HIDDEN])),
    resumeUrl: resumeUrl === null ? null : HIDDEN,
    resume: maskResume(resume),
  };
}
