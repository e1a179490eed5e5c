import { VALID, withCandidate } from '@partner-hiring/test-support/submission-body';
import { describe, expect, it } from 'vitest';
import { findIgnoredFields, toHeaderValue } from './ignored-fields.js';

const many = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`sourc${'fghijklmnopq'[index]}`, 1]),
);

describe('fields that look mistyped', () => {
  it.each([
    ['nothing unknown', VALID, []],
    ['one edit', { ...VALID, resumeUrI: '' }, ['resumeUrI']],
    ['two edits', { ...VALID, resume_url: '' }, ['resume_url']],
    ['three edits', { ...VALID, resume__url: '' }, []],
    ['two exchanged letters', { ...VALID, suorce: '' }, ['suorce']],
    ['a field of the candidate', withCandidate({ first_name: 'Ada' }), ['candidate.first_name']],
    ['a field unlike any other', { ...VALID, campaign: 'x' }, []],
    ['a question of the form', { ...VALID, applicationFormAnswers: { sourc: 1 } }, []],
    ['a list', [], []],
    ['a text as candidate', { candidate: 'phon' }, []],
    ['null', null, []],
  ])('%s', (_, body, fields) => {
    expect(findIgnoredFields(JSON.parse(JSON.stringify(body)))).toEqual(fields);
  });

  it('are at most ten', () => {
    expect(findIgnoredFields({ ...many, candidate: { emial: 1 } })).toEqual(Object.keys(many).slice(0, 10));
  });

  it('fit into a header, whatever they contain', () => {
    expect(toHeaderValue(['sou,rce', 'süurce', 'sour\r\nce', '\ud83ejobId', 'candidate.e-mail'])).toBe(
      'sou%2Crce, s%C3%BCurce, sour%0D%0Ace, %EF%BF%BDjobId, candidate.e-mail',
    );
  });

  it('are found in a body full of fields in linear time, or this test times out', () => {
    const body = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`z${index}`, 1]));
    expect(findIgnoredFields({ ...body, ['source'.repeat(40_000)]: 1 })).toEqual([]);
  });
});
