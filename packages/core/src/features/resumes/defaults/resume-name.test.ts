import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resumeFileName } from './resume-name.js';

const URL = 'https://files.test/cv/jane%20doe.docx?x=1';

describe('resumeFileName', () => {
  it.each([
    ['the URL', null, 'jane doe.pdf'],
    ['the header', 'attachment; filename="CV of Jane.pdf"', 'CV of Jane.pdf'],
    ['the header without quotes', 'inline; filename=cv.doc', 'cv.pdf'],
    ['the extended name', "attachment; filename=x.pdf; filename*=UTF-8''J%C3%BCrg%20cv.pdf", 'Jürg cv.pdf'],
    ['the URL, where the header has none', 'attachment', 'jane doe.pdf'],
    ['the URL, where the header’s is broken', "attachment; filename*=UTF-8''%E0%A4%A", 'jane doe.pdf'],
    ['what follows the last separator', 'attachment; filename="../../etc/passwd"', 'passwd.pdf'],
    ['what follows the last backslash', 'attachment; filename="C:\\\\Users\\\\jane\\\\cv.pdf"', 'cv.pdf'],
    ['what is left without controls', 'attachment; filename="a\u0000b\u202egpj.exe"', 'a b gpj.exe.pdf'],
    ['what is no hidden file', 'attachment; filename="...bashrc"', 'bashrc.pdf'],
    ['what is no device', 'attachment; filename="CON.txt"', 'jane doe.pdf'],
  ])('uses %s', (_what, header, expected) => {
    expect(resumeFileName(URL, header, '.pdf')).toBe(expected);
  });

  it.each([
    'CON',
    'nul.pdf',
    'aux .txt',
    'PRN . pdf',
    'com1.doc',
    'LPT9',
    'COM¹',
    'lpt³.docx',
    'CONIN$',
    'conout$.txt',
    'nul\u200b',
    '\u202enul',
  ])('ignores %j, which is a device on Windows', (device) => {
    expect(resumeFileName('https://files.test/', `attachment; filename="${device}"`, '.pdf')).toBe(
      'resume.pdf',
    );
  });

  it.each([
    ['many characters', 'é'.repeat(300), /^é{60}\.pdf$/],
    ['characters of four bytes', '🚀'.repeat(300), /^🚀{60}\.pdf$/u],
    ['a traversal', `${'../'.repeat(50)}etc/passwd`, /^passwd\.pdf$/],
    ['a traversal of Windows', '..\\\\..\\\\windows\\\\win.ini', /^win\.ini\.pdf$/],
    ['a traversal that is encoded twice', '%252e%252e%252fpasswd', /^%252e%252e%252fpasswd\.pdf$/],
    ['another stream', 'cv.pdf:evil.exe', /^cv\.pdf evil\.exe\.pdf$/],
    ['a NUL before another extension', 'cv.exe\u0000.pdf', /^cv\.exe\.pdf$/],
    ['text that is turned around', 'cv\u202efdp.exe', /^cv fdp\.exe\.pdf$/],
    ['dots', '......', /^resume\.pdf$/],
  ])('makes a safe name of %s', (_what, name, made) => {
    expect(resumeFileName('https://files.test/', `attachment; filename="${name}"`, '.pdf')).toMatch(made);
  });

  it.each([
    'https://files.test/',
    'https://files.test/..%2f..',
    'https://files.test/%00',
    'https://files.test/%E0',
  ])('falls back to a default for %s', (url) => {
    expect(resumeFileName(url, null, '.txt')).toBe('resume.txt');
  });

  it('is fast for a name of 100,000 combining marks', () => {
    const marks = `${'\u0315'.repeat(50_000)}${'\u0316'.repeat(50_000)}`;
    const made = resumeFileName(`https://files.test/cv${encodeURIComponent(marks)}.docx`, null, '.pdf');
    expect(made).toBe(`cv${'\u0315'.repeat(58)}.pdf`);
  });

  it('is safe for any server response', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (name) => {
        const made = resumeFileName(URL, `attachment; filename="${name}"`, '.pdf');
        expect(made).toMatch(/^[^\p{Cc}/\\<>:"|?*]+\.pdf$/u);
        expect(made).not.toMatch(/^[.\s]/);
        expect(Buffer.byteLength(made)).toBeLessThanOrEqual(255);
      }),
    );
  });
});
