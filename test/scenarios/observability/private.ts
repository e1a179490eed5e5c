import { WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';

/** Seals the signing secrets. */
export const SEALING_KEY = 'c2VhbGluZy1rZXktb2YtdGhlLXN0b3J5LTEyMzQ1Njc=';
/** Where the partner's webhooks go. */
export const WEBHOOK_URL = 'https://hooks.acme.example/in/pathtoken7f3a?auth=querytoken9c1d';
/** Where the candidate's résumé lies. */
export const RESUME_URL = 'https://zephyrine.example/cv/resumetoken55aa.pdf?sig=resumesig66bb';
/** Who applies. */
export const CANDIDATE = {
  firstName: 'Zephyrine',
  lastName: "D'Quackenbush",
  email: 'zephyrine.q@mail.example',
  phone: '+14155550177',
};
/** What the candidate answers. */
export const ANSWER = 'I keep seventeen ferrets';

/** What must never be seen, beside the secrets that the story makes. */
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
  // Of a body, whoever's it is.
  WAREHOUSE_JOB.title,
  'apiVersion',
];

/** What a driver throws: parameters beside the message, values in it, the row in a detail. */
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
