import type { ApplicationRecord, Candidate } from './application.js';
import type { Fact } from './fact.js';

type PersonalName = 'candidate' | 'answers' | 'resumeUrl' | 'resume';
type FieldName = Exclude<keyof ApplicationRecord, PersonalName>;

/** The labels of the fields without the candidate's data. */
export const APPLICATION_LABELS: Readonly<Record<FieldName, string>> = {
  status: 'Status',
  stage: 'Stage',
  jobId: 'Job',
  companyId: 'Company',
  keyId: 'Partner key',
  sourceApplicationId: 'Source id',
  source: 'Source',
  submittedAt: 'Submitted',
  lastStatusChangeAt: 'Last change of the status',
  changedAt: 'Last change',
  erasedAt: 'Erased',
  id: 'Id',
};

/** The candidate's fields. */
export const CANDIDATE_LABELS: Readonly<Record<keyof Candidate, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
};

/**
 * Returns the fields of an application with their labels, without the candidate's data.
 * @example
 * for (const { label, value } of describeApplication(application)) console.log(`${label}: ${value}`);
 */
export function describeApplication(application: ApplicationRecord): readonly Fact<FieldName>[] {
  const shown = { ...application, stage: application.stage.replaceAll('_', ' ') };
  return factsOf(APPLICATION_LABELS, shown);
}

/**
 * Returns the candidate's data in an application with their labels. The label of an answer is the key of its question.
 * @example
 * for (const { label, value } of describeCandidate(application)) console.log(`${label}: ${value}`);
 */
export function describeCandidate({
  candidate,
  answers,
  resume,
  resumeUrl,
}: Pick<ApplicationRecord, PersonalName>): readonly Fact<keyof Candidate | PersonalName>[] {
  return [
    ...factsOf(CANDIDATE_LABELS, candidate),
    { field: 'resume', label: 'Résumé', value: resume.kind },
    { field: 'resumeUrl', label: 'Résumé URL', value: resumeUrl },
    ...Object.entries(answers).map(
      ([key, answer]) => ({ field: 'answers', label: key, value: answerText(answer) }) as const,
    ),
  ];
}

function factsOf<Field extends string>(
  labels: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, Fact['value']>>,
): readonly Fact<Field>[] {
  const facts: Fact<Field>[] = [];
  for (const field in labels) facts.push({ field, label: labels[field], value: values[field] });
  return facts;
}

function answerText(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}
