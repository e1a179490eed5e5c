import { describe, expect, it } from 'vitest';
import { record } from '../../operator/command/input.js';
import { completeDetails, type JobDetailsInput } from './job-details.js';
import { newJob } from './job-fields.js';

const PICKER: JobDetailsInput = {
  title: 'Picker',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { min: 18, max: 22.5, currency: 'USD' },
};

const SHIFT = { key: 'shift', label: 'Which shift?', type: 'single_select', required: true };
const OPTIONS = [
  { value: 'day', label: 'Day' },
  { value: 'night', label: 'Night' },
];

/** Returns the error for details without types, or empty text. */
function problems(changes: Readonly<Record<string, unknown>>): string {
  try {
    record(newJob).check({ companyId: 'co_1', ...PICKER, ...changes });
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('details of a job', () => {
  it('get null and zero for omitted fields', () => {
    expect(completeDetails(PICKER)).toEqual({
      ...PICKER,
      compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
      schedule: null,
      headcount: { total: null, filled: 0 },
      applicationFormSchema: null,
      unknownCountry: false,
    });
  });

  it('are valid without a city or a state', () => {
    expect(problems({ location: { city: '', state: '', country: 'SG' } })).toBe('');
  });

  it.each([
    ['a missing title', { title: undefined }, 'title must'],
    ['a blank title', { title: ' \t' }, 'title must'],
    ['a NUL', { title: 'Pick\0er' }, 'title must'],
    ['a lone surrogate', { title: 'Picker \ud800' }, 'title must'],
    ['no location', { location: undefined }, 'location must be an object'],
    ['a blank country', { location: { city: 'A', state: 'B', country: ' ' } }, 'location.country must'],
    ['a yearly salary', { compensation: { type: 'yearly', currency: 'USD' } }, 'compensation.type must'],
    ['a negative wage', { compensation: { min: -1, currency: 'USD' } }, 'compensation.min must'],
    ['an infinite wage', { compensation: { max: Infinity, currency: 'USD' } }, 'compensation.max must'],
    ['a wage as text', { compensation: { min: '18', currency: 'USD' } }, 'compensation.min must'],
    [
      'min over max',
      { compensation: { min: 3, max: 2, currency: 'USD' } },
      'compensation.min must not exceed',
    ],
    ['a currency sign', { compensation: { currency: '$' } }, 'compensation.currency must'],
    ['a blank schedule', { schedule: '' }, 'schedule must'],
    ['a fractional headcount', { headcount: { total: 1.5 } }, 'headcount.total must'],
    ['negative hires', { headcount: { filled: -1 } }, 'headcount.filled must'],
    ['a headcount that is a number', { headcount: 5 }, 'headcount must be an object'],
    ['a headcount that is a list', { headcount: [5, 2] }, 'headcount must be an object'],
    ['a form that is not a list', { applicationFormSchema: {} }, 'applicationFormSchema must'],
    ['a select without options', { applicationFormSchema: [SHIFT] }, 'applicationFormSchema[0].options must'],
    [
      'a duplicate option',
      { applicationFormSchema: [{ ...SHIFT, options: [...OPTIONS, ...OPTIONS] }] },
      'applicationFormSchema[0].options must give each',
    ],
    [
      'a duplicate question',
      { applicationFormSchema: [1, 2].map(() => ({ ...SHIFT, options: OPTIONS })) },
      'applicationFormSchema must give each',
    ],
    [
      'a question with required as text',
      { applicationFormSchema: [{ ...SHIFT, options: OPTIONS, required: 'yes' }] },
      'applicationFormSchema[0].required must',
    ],
  ])('are rejected with %s, by field', (_, changes, message) => {
    expect(problems(changes)).toContain(message);
  });

  it('are rejected with all errors at once', () => {
    const message = problems({ title: '', headcount: { filled: -1 }, compensation: { currency: 'usd' } });
    for (const field of ['title', 'headcount.filled', 'compensation.currency'])
      expect(message).toContain(field);
  });

  it('count code points', () => {
    expect(problems({ title: '🧺'.repeat(500) })).toBe('');
    expect(problems({ title: '🧺'.repeat(501) })).toContain('title must');
  });

  it('accept unknown question types', () => {
    const question = { key: 'video', label: 'A video', type: 'video_answer', required: false };
    expect(problems({ applicationFormSchema: [question] })).toBe('');
  });
});
