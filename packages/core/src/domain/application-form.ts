import type { FieldError } from './field-error.js';
import { isPlainLine, isPlainText, problemOfLine, problemOfText } from './text.js';
import { parseUrl } from './web-link.js';

/** Contract: 2.8. */
export interface FormQuestion {
  readonly key: string;
  readonly label: string;
  /** The type of the answer. A question of an unknown type accepts any JSON scalar. */
  readonly type: string;
  readonly required: boolean;
  readonly options?:
    | readonly {
        readonly value: string;
        readonly label: string;
      }[]
    | undefined;
}

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Answers by question key. */
export type FormAnswers = Readonly<Record<string, Json>>;

const ANSWERS_FIELD = 'applicationFormAnswers';

type Problem = Pick<FieldError, 'code' | 'message'>;
type Check = (answer: Json, question: FormQuestion) => Problem | null;

const CHECKS: Readonly<Record<string, Check>> = {
  boolean: (answer) => (typeof answer === 'boolean' ? null : wrongType('true or false')),
  short_text: (answer) => (typeof answer === 'string' ? checkLine(answer) : wrongType('a string')),
  long_text: (answer) => (typeof answer === 'string' ? checkText(answer) : wrongType('a string')),
  number: (answer) => (typeof answer === 'number' ? checkNumber(answer) : wrongType('a number')),
  date: (answer) => (typeof answer === 'string' ? checkDate(answer) : wrongType('a string with a date')),
  url: (answer) => (typeof answer === 'string' ? checkUrl(answer) : wrongType('a string with a URL')),
  single_select: (answer, question) => {
    return typeof answer === 'string'
      ? checkOptions([answer], question)
      : wrongType('a string: the value of one option');
  },
  multi_select: (answer, question) => {
    return isListOfTexts(answer)
      ? checkOptions(withoutBlanks(answer, question), question)
      : wrongType('a list of strings: the values of options');
  },
};

/** Types with a check. */
export const KNOWN_QUESTION_TYPES: readonly string[] = Object.keys(CHECKS);

/** In these types, an empty string means no answer: forms send it for a field that a person left empty. Decision 9. */
const EMPTY_MEANS_NONE: ReadonlySet<string> = new Set(['date', 'url', 'single_select', 'multi_select']);

const UNANSWERED: Problem = { code: 'required', message: 'This question must be answered.' };
const UNKNOWN: Problem = { code: 'unknown_field', message: 'The job asks no question with this key.' };

/** Returns all errors. `null` counts as missing. So do blank text and `[]` if an answer is required. */
export function checkAnswers(questions: readonly FormQuestion[], answers: FormAnswers): FieldError[] {
  const errors: FieldError[] = [];
  const report = (key: string, problem: Problem) =>
    errors.push({ field: `${ANSWERS_FIELD}.${key}`, ...problem });
  for (const question of questions) {
    const problem = checkAnswer(question, answerTo(question, answers));
    if (problem !== null) report(question.key, problem);
  }
  const known = new Set(questions.map((question) => question.key));
  for (const key of Object.keys(answers)) {
    if (!known.has(key)) report(key, UNKNOWN);
  }
  return errors;
}

/**
 * Drops empty answers to optional questions whose valid answers are never empty. Also drops the blank values of
 * multiple choices.
 */
export function withoutEmptyAnswers(questions: readonly FormQuestion[], answers: FormAnswers): FormAnswers {
  const changed = new Map<string, Json | undefined>();
  for (const question of questions) {
    const answer = answerTo(question, answers);
    if (isLeftEmpty(question, answer)) changed.set(question.key, undefined);
    else if (question.type === 'multi_select' && isListOfTexts(answer)) {
      const filled = withoutBlanks(answer, question);
      if (filled.length < answer.length) changed.set(question.key, filled);
    }
  }
  if (changed.size === 0) return answers;
  const kept = Object.entries(answers).map(([key, answer]) => [
    key,
    changed.has(key) ? changed.get(key) : answer,
  ]);
  return Object.fromEntries(kept.filter(([, answer]) => answer !== undefined));
}

/** Drops blank values that are no option. Forms send a blank value beside the chosen ones, or instead of them. */
function withoutBlanks(answers: readonly string[], { options = [] }: FormQuestion): readonly string[] {
  return answers.filter((each) => each.trim() !== '' || options.some(({ value }) => value === each));
}

function answerTo({ key }: FormQuestion, answers: FormAnswers): Json {
  return (Object.hasOwn(answers, key) ? answers[key] : null) ?? null;
}

function checkAnswer(question: FormQuestion, answer: Json): Problem | null {
  const { type, required } = question;
  if (answer === null) return required ? UNANSWERED : null;
  const check = Object.hasOwn(CHECKS, type) ? CHECKS[type] : undefined;
  if (check === undefined) return checkScalar(answer);
  if (required && isBlank(answer, question)) return UNANSWERED;
  return isLeftEmpty(question, answer) ? null : check(answer, question);
}

function isBlank(answer: Json, question: FormQuestion): boolean {
  if (typeof answer === 'string') return answer.trim() === '';
  if (!isListOfTexts(answer)) return false;
  return question.type === 'multi_select'
    ? withoutBlanks(answer, question).length === 0
    : answer.length === 0;
}

/** Some forms send `[""]` for a multiple choice without a choice. */
function isLeftEmpty(question: FormQuestion, answer: Json): boolean {
  const { type, required } = question;
  if (required || !EMPTY_MEANS_NONE.has(type)) return false;
  if (typeof answer === 'string') return answer.trim() === '';
  return type === 'multi_select' && isListOfTexts(answer) && answer.length > 0 && isBlank(answer, question);
}

function wrongType(expected: string): Problem {
  return { code: 'invalid_type', message: `The answer must be ${expected}.` };
}

function wrongFormat(message: string): Problem {
  return { code: 'invalid_format', message };
}

function checkScalar(answer: Json): Problem | null {
  if (typeof answer === 'number') return checkNumber(answer);
  if (typeof answer === 'string') return checkText(answer);
  return typeof answer === 'object' ? wrongType('a string, a number, true or false') : null;
}

/** JSON numbers such as `1e999` parse to Infinity, which would be stored as `null`. */
function checkNumber(answer: number): Problem | null {
  return Number.isFinite(answer) ? null : wrongFormat('The number is too large.');
}

function checkLine(answer: string): Problem | null {
  return isPlainLine(answer) ? null : wrongFormat(problemOfLine(answer));
}

function checkText(answer: string): Problem | null {
  return isPlainText(answer) ? null : wrongFormat(problemOfText(answer));
}

function checkDate(answer: string): Problem | null {
  return isCalendarDate(answer) ? null : wrongFormat('The answer must be a date such as 2026-01-31.');
}

/** Rejects line breaks first, because the URL parser drops them. */
function checkUrl(answer: string): Problem | null {
  if (!isPlainLine(answer)) return wrongFormat(problemOfLine(answer));
  const protocol = parseUrl(answer)?.protocol;
  if (protocol === 'https:' || protocol === 'http:') return null;
  return wrongFormat('The answer must be a URL that starts with https:// or http://.');
}

function isListOfTexts(answer: Json): answer is readonly string[] {
  return Array.isArray(answer) && answer.every((item) => typeof item === 'string');
}

function checkOptions(answers: readonly string[], { options = [] }: FormQuestion): Problem | null {
  const others = answers.filter((answer) => !options.some(({ value }) => value === answer));
  if (others.length === 0) return null;
  const deceptive = others.find((answer) => !isPlainLine(answer));
  if (deceptive !== undefined) return wrongFormat(problemOfLine(deceptive));
  return { code: 'invalid_value', message: 'The answer is not one of the options of this question.' };
}

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
