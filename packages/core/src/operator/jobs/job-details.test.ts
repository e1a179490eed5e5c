import { describe, expect, it } from 'vitest';
import { inspect } from '../input.js';
import { completeDetails, inspectDetails, type JobDetailsInput } from './job-details.js';

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

/** What is wrong with details that come from a host without types. */
function problems(changes: Readonly<Record<string, unknown>>): string {
  const inspection = inspect('jobs.publish');
  inspectDetails(inspection, { ...PICKER, ...changes });
  try {
    inspection.end();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('details of a job', () => {
  it('are complete once null and zero stand for what was left out', () => {
    expect(completeDetails(PICKER)).toEqual({
      ...PICKER,
      compensation: { type: 'hourly', min: 18, max: 22.5, currency: 'USD' },
      schedule: null,
      headcount: { total: null, filled: 0 },
      applicationFormSchema: null,
    });
  });

  it('are taken without a city or a state: remote jobs and small countries have none', () => {
    expect(problems({ location: { city: '', state: '', country: 'SG' } })).toBe('');
  });

  it.each([
    ['a missing title', { title: undefined }, 'title must'],
    ['a blank title', { title: ' \t' }, 'title must'],
    ['a NUL', { title: 'Pick\0er' }, 'title must'],
    ['a lone surrogate', { title: 'Picker \ud800' }, 'title must'],
    ['no location', { location: undefined }, 'location.city must'],
    ['a blank country', { location: { city: 'A', state: 'B', country: ' ' } }, 'location.country must'],
    ['a yearly salary', { compensation: { type: 'yearly', currency: 'USD' } }, 'compensation.type must'],
    ['a negative wage', { compensation: { min: -1, currency: 'USD' } }, 'compensation.min must'],
    ['an infinite wage', { compensation: { max: Infinity, currency: 'USD' } }, 'compensation.max must'],
    ['a wage that is text', { compensation: { min: '18', currency: 'USD' } }, 'compensation.min must'],
    [
      'min over max',
      { compensation: { min: 3, max: 2, currency: 'USD' } },
      'compensation.min must not exceed',
    ],
    ['a currency sign', { compensation: { currency: '$' } }, 'compensation.currency must'],
    ['a blank schedule', { schedule: '' }, 'schedule must'],
    ['half a hire', { headcount: { total: 1.5 } }, 'headcount.total must'],
    ['fewer than no hires', { headcount: { filled: -1 } }, 'headcount.filled must'],
    ['a headcount that is a number', { headcount: 5 }, 'headcount must be an object'],
    ['a headcount that is a list', { headcount: [5, 2] }, 'headcount must be an object'],
    ['a form that is no list', { applicationFormSchema: {} }, 'applicationFormSchema must'],
    ['a select without choices', { applicationFormSchema: [SHIFT] }, 'applicationFormSchema[0].options must'],
    [
      'the same choice twice',
      { applicationFormSchema: [{ ...SHIFT, options: [...OPTIONS, ...OPTIONS] }] },
      'applicationFormSchema[0].options must give each',
    ],
    [
      'the same question twice',
      { applicationFormSchema: [1, 2].map(() => ({ ...SHIFT, options: OPTIONS })) },
      'applicationFormSchema must give each',
    ],
    [
      'a question that may or may not be required',
      { applicationFormSchema: [{ ...SHIFT, options: OPTIONS, required: 'yes' }] },
      'applicationFormSchema[0].required must',
    ],
  ])('are refused with %s, naming the field', (_, changes, message) => {
    expect(problems(changes)).toContain(message);
  });

  it('are refused with all that is wrong at once', () => {
    const message = problems({ title: '', headcount: { filled: -1 }, compensation: { currency: 'usd' } });
    for (const field of ['title', 'headcount.filled', 'compensation.currency'])
      expect(message).toContain(field);
  });

  it('count characters, not their halves', () => {
    expect(problems({ title: '🧺'.repeat(500) })).toBe('');
    expect(problems({ title: '🧺'.repeat(501) })).toContain('title must');
  });

  it('may ask questions of types that are not known yet', () => {
    const question = { key: 'video', label: 'A video', type: 'video_answer', required: false };
    expect(problems({ applicationFormSchema: [question] })).toBe('');
  });
});
