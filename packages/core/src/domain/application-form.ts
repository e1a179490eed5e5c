import type { FieldError, FieldErrorCode } from './field-error.js';
import { parseUrl } from './parse-url.js';
import { isPlainLine, isPlainText } from './text.js';

/** An option of a select question. */
export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** Spec: Resources, Job, `applicationFormSchema`. */
export interface FormQuestion {
  readonly key: string;
  readonly label: string;
  /** The type of the answer. A question of an unknown type accepts any JSON scalar. */
  readonly type: string;
  readonly required: boolean;
  readonly options?: readonly FormOption[];
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Answers by question key. */
export type FormAnswers = Readonly<Record<string, Json>>;

const ANSWERS_FIELD = 'applicationFormAnswers';

type Check = (answer: Json, question: FormQuestion) => FieldErrorCode | null;

const CHECKS: Readonly<Record<string, Check>> = {
  boolean: (answer) => (typeof answer === 'boolean' ? null : 'invalid_type'),
  short_text: (answer) => formatted(answer, isPlainLine),
  long_text: (answer) => formatted(answer, isPlainText),
  number: (answer) => (typeof answer === 'number' ? finite(answer) : 'invalid_type'),
  date: (answer) => formatted(answer, isCalendarDate),
  url: (answer) => formatted(answer, isWebUrl),
  single_select: (answer, question) => {
    return typeof answer === 'string' ? checkOptions([answer], question) : 'invalid_type';
  },
  multi_select: (answer, question) => {
    return isListOfTexts(answer) ? checkOptions(answer, question) : 'invalid_type';
  },
};

/** Types with a check. */
export const KNOWN_QUESTION_TYPES: readonly string[] = Object.keys(CHECKS);

const MESSAGES: Partial<Record<FieldErrorCode, string>> = {
  required: 'This question must be answered.',
  invalid_type: 'The answer has the wrong type for this question.',
  invalid_format:
    'The answer does not have the form this question asks for, or contains control characters or bidirectional overrides.',
  invalid_value: 'The answer is not one of the options of this question.',
  unknown_field: 'The job asks no question with this key.',
};

/** Returns all errors. `null` counts as missing. So do blank text and `[]` if an answer is required. */
export function checkAnswers(questions: readonly FormQuestion[], answers: FormAnswers): FieldError[] {
  const errors: FieldError[] = [];
  for (const question of questions) {
    const code = checkAnswer(question, Object.hasOwn(answers, question.key) ? answers[question.key] : null);
    if (code !== null) errors.push(answerError(question.key, code));
  }
  const known = new Set(questions.map((question) => question.key));
  for (const key of Object.keys(answers)) {
    if (!known.has(key)) errors.push(answerError(key, 'unknown_field'));
  }
  return errors;
}

function checkAnswer(question: FormQuestion, answer: Json | undefined): FieldErrorCode | null {
  if (answer === null || answer === undefined) return question.required ? 'required' : null;
  const check = Object.hasOwn(CHECKS, question.type) ? CHECKS[question.type] : undefined;
  if (check === undefined) return isScalar(answer);
  return question.required && isBlank(answer) ? 'required' : check(answer, question);
}

function isBlank(answer: Json): boolean {
  return typeof answer === 'string' ? answer.trim() === '' : Array.isArray(answer) && answer.length === 0;
}

function answerError(key: string, code: FieldErrorCode): FieldError {
  return { field: `${ANSWERS_FIELD}.${key}`, code, message: MESSAGES[code] ?? 'The answer is not valid.' };
}

function isScalar(answer: Json): FieldErrorCode | null {
  if (typeof answer === 'number') return finite(answer);
  if (typeof answer === 'string') return formatted(answer, isPlainText);
  return typeof answer === 'object' ? 'invalid_type' : null;
}

/** JSON numbers such as `1e999` parse to Infinity, which would be stored as `null`. */
function finite(answer: number): FieldErrorCode | null {
  return Number.isFinite(answer) ? null : 'invalid_format';
}

function formatted(answer: Json, test: (text: string) => boolean): FieldErrorCode | null {
  if (typeof answer !== 'string') return 'invalid_type';
  return test(answer) ? null : 'invalid_format';
}

function isListOfTexts(answer: Json): answer is readonly string[] {
  return Array.isArray(answer) && answer.every((item) => typeof item === 'string');
}

function checkOptions(answers: readonly string[], { options = [] }: FormQuestion): FieldErrorCode | null {
  const others = answers.filter((answer) => !options.some(({ value }) => value === answer));
  if (others.length === 0) return null;
  return others.every(isPlainLine) ? 'invalid_value' : 'invalid_format';
}

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Rejects line breaks first, because the URL parser drops them. */
function isWebUrl(text: string): boolean {
  const protocol = isPlainLine(text) ? parseUrl(text)?.protocol : null;
  return protocol === 'https:' || protocol === 'http:';
}
