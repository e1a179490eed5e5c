import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeError } from '../../defaults/describe-error.js';
import { withoutName } from './without-name.js';

const told = (error: unknown) => JSON.stringify(describeError(error));

describe('an error without the name of a file', () => {
  it.each([
    ['Upload of Ada Lovelace CV.pdf failed', 'Upload of ….pdf failed'],
    ['no room for Ada Lovelace CV', 'no room for …'],
    ['PUT cv/ada_lovelace-cv.pdf: 507', 'PUT cv/….pdf: 507'],
    ['PUT Ada%20Lovelace%20CV.pdf: 507', 'PUT ….pdf: 507'],
    ['ada+lovelace+cv and AdaLovelaceCV', '… and …'],
    ['The store of Adas is down, cv or not', 'The store of Adas is down, cv or not'],
  ])('says all else, however the name is spelled: %s', (message, expected) => {
    expect(withoutName(new Error(message), 'Ada Lovelace CV.pdf')).toMatchObject({ message: expected });
  });

  it.each([
    ['Zoë Müller.pdf', `key ${encodeURIComponent('Zoë Müller')} and ${'Zoë Müller'.normalize('NFD')}`],
    ['李小龙.docx', `key 李小龙.docx and ${encodeURIComponent('李小龙')}`],
    ['O’Hara (2).pdf', 'key O’Hara (2).pdf and o_hara_2'],
  ])('knows it in any alphabet: %s', (fileName, message) => {
    expect(withoutName(new Error(message), fileName)).toHaveProperty(
      'message',
      expect.stringMatching(/^key …[.)\w]* and …$/),
    );
  });

  it('says what kind of error it is, with its code, its frames and its causes, and the name in none', () => {
    const cause = new TypeError('Ada.pdf is taken');
    const error = Object.assign(new RangeError('no Ada.pdf\n    at Ada (a.js:1:2)', { cause }), {
      code: 'E_FULL',
    });
    const clean = withoutName(error, 'Ada.pdf');
    expect(describeError(clean)).toEqual({
      name: 'RangeError',
      message: 'no ….pdf\n    at … (a.js:1:2)',
      code: 'E_FULL',
      stack: expect.stringMatching(/^ +at .*without-name\.test\.ts/),
      cause: expect.objectContaining({ name: 'TypeError', message: '….pdf is taken' }),
    });
    expect(clean).toBeInstanceOf(RangeError);
    expect(told(clean).match(/Ada/g)).toBeNull();
  });

  it('leaves the frames as they are, where a file of the code has that name', () => {
    const error = new Error('no test.pdf');
    expect(describeError(withoutName(error, 'test.pdf')).stack).toBe(describeError(error).stack);
  });

  it('survives what is odd: no error, an error that causes itself, a name without a letter', () => {
    expect(withoutName('Ada', 'Ada.pdf')).toBe('Ada');
    expect(withoutName(new Error('a b'), '...pdf')).toHaveProperty('message', 'a b');
    const circular = new Error('Ada');
    circular.cause = circular;
    expect(told(withoutName(circular, 'Ada.pdf'))).not.toContain('Ada');
  });

  it('never says it where it stands by itself', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,9}$/);
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(' ', '_', '-', '%20'),
        (words, gap) => {
          const message = `cannot put ${words.join(gap)}.pdf there`;
          expect(withoutName(new Error(message), `${words.join(' ')}.pdf`)).toHaveProperty(
            'message',
            'cannot put ….pdf there',
          );
        },
      ),
    );
  });
});
