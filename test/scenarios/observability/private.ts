import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';

/** The key that seals signing secrets. */
export const SEALING_KEY = 'c2VhbGluZy1rZXktb2YtdGhlLXN0b3J5LTEyMzQ1Njc=';
/** The URL of the partner's webhook. */
export const WEBHOOK_URL = 'https://hooks.acme.example/in/pathtoken7f3a?auth=querytoken9c1d';
/** The URL of the candidate's résumé. */
export const RESUME_URL = 'https://zephyrine.example/cv/resumetoken55aa.pdf?sig=resumesig66bb';
/** The candidate. */
export const CANDIDATE = {
  firstName: 'Zephyrine',
  lastName: "D'Quackenbush",
  email: 'zephyrine.q@mail.example',
  phone: '+14155550177',
};
/** The candidate's answers. */
export const ANSWER = 'I keep seventeen ferrets';

/** Texts that must never appear, in addition to the secrets of the story. */
export const PRIVATE = [
  SEALING_KEY,
  'sealing-key-of-the-story',
  'pathtoken7f3a',
  'querytoken9c1d',
  'resumetoken55aa',
  'resumesig66bb',
  'zephyrine',
  'Zephyrine',
  'Quackenbush',
  '4155550177',
  '(415) 555-0177',
  'ferrets',
  'sourceid8d2e',
  'hostile',
  'whsec_',
  'pek_live_',
  'v1=',
  // Part of any body.
  WAREHOUSE_JOB.title,
  'apiVersion',
];

/** A driver's error: parameters, values in the message, the row in a detail. */
export function driverError(): Error {
  const params = Object.values(CANDIDATE);
  return Object.assign(
    new Error(
      `Failed query: insert into "ph_application" values ($1, $2)\nparams: ${params.join(', ')}, ${RESUME_URL}`,
      {
        cause: Object.assign(new Error(`invalid input syntax for type integer: "${CANDIDATE.email}"`), {
          detail: `Key (email)=(${CANDIDATE.email}) already exists.`,
        }),
      },
    ),
    { code: '22P02', severity: 'ERROR', parameters: params, query: `… '${CANDIDATE.lastName}'` },
  );
}
