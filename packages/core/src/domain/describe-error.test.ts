import { readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.js';

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('Nothing was thrown.');
}

/** Node's error for a certificate of another host. */
function certificateMessage(host: string): string {
  const subject = { C: '', ST: '', L: '', O: '', OU: '', CN: 'b.example' };
  const certificate = { subject, subjectaltname: 'DNS:b.example, DNS:lovelace.ada.example' };
  return checkServerIdentity(host, certificate as never)?.message ?? '';
}

describe('describeError', () => {
  it('returns name, message, code, frames and causes, and drops attached data', () => {
    const cause = Object.assign(new TypeError('read ECONNRESET'), {
      code: 'ECONNRESET',
      address: '10.0.0.1',
    });
    const error = Object.assign(new Error('The database cannot be used.', { cause }), {
      parameters: ['ada@example.org'],
    });
    expect(describeError(error)).toEqual({
      name: 'Error',
      message: 'The database cannot be used.',
      stack: expect.stringMatching(/^\s+at /),
      cause: {
        name: 'TypeError',
        message: 'read ECONNRESET',
        code: 'ECONNRESET',
        stack: expect.stringMatching(/^\s+at /),
      },
    });
  });

  it.each([
    ['a query with its values', 'Failed query: insert into t values ($1)\nparams: Ada,Lovelace'],
    ['a value of the wrong type', 'invalid input syntax for type integer: "Ada"'],
    ['a row', 'Key (email, name)=(ada@example.org, Ada) already exists.'],
    ['a text that is no JSON', `Unexpected token 'A', "Ada" is not valid JSON`],
    ['a text with quotes in it that is no JSON', messageOf(() => JSON.parse('["Ada", Lovelace]'))],
    ['a URL', 'POST https://user:Ada@ada.example/in/Ada?token=Ada failed'],
    ['a host', 'getaddrinfo ENOTFOUND ada.example'],
    ['a host whose name server fails', 'queryA ESERVFAIL ada.example'],
    ['a host that cannot be resolved', 'getaddrinfo EAI_FAIL ada.example'],
    ['a host with the certificate of another', certificateMessage('ada.example')],
    ['a path', 'GET /cv/file.pdf?name=Ada failed'],
    ['an address', 'No such mailbox: ada@example.org'],
    ['a body', 'rejected: {"firstName":"Ada"}'],
    ['a phone number', 'cannot call +1 (415) 555-0123'],
    ['an argument that Node refuses', messageOf(() => readFileSync('/resumes/Ada\0.pdf'))],
    ['a quotation', 'The server answered "Ada, we are closed".'],
    ['a secret', 'key pek_live_0123456789abcdefAda0123456789'],
  ])('drops %s', (_, message) => {
    const told = JSON.stringify(describeError(new Error(message)));
    expect(told).not.toMatch(/ada\b|Ada|Lovelace|0123/);
  });

  it.each([
    ['params: Ada, Lovelace', 'params: …'],
    ['Parameters=[Ada]\n[Lovelace]', 'Parameters: …'],
    ['no such values : Ada', 'no such values: …'],
    ['bindings: Ada', 'bindings: …'],
    ['invalid input syntax for type json: "Ada" "Lovelace"', 'invalid input syntax for type json: "…"'],
    [
      'Key (a, b)=(Ada, 1) is not present in table "ph_key" (x).',
      'Key (a, b)=(…) is not present in table "ph_key" (x).',
    ],
    ['Key (a)=(Ada (Countess) Lovelace) already exists.', 'Key (a)=(…) already exists.'],
    ['Schlüssel »(a)=(Ada)«, »(b)=(Ada)«', 'Schlüssel "…", "…"'],
    ['Failing row contains (1, Ada (Countess), Lovelace).', 'Failing row contains (…).'],
    [
      `Unexpected token 'A', ..."Ada" is no"... is not valid JSON`,
      `Unexpected token 'A', ..."…"... is not valid JSON`,
    ],
    [
      `no HTTPS://ada.example, no <s3+v2://ada>, no 'x://ada' here`,
      `no HTTPS://… no <s3+v2://…>, no 'x://…' here`,
    ],
    ['connect ENOTFOUND ada.example here', 'connect ENOTFOUND … here'],
    ['EAI_AGAIN ada.example', 'EAI_AGAIN …'],
    ['ENOTFOUND ada.example, ENOTFOUND b.ada.example', 'ENOTFOUND … ENOTFOUND …'],
    [
      "Host: a. does not match certificate's altnames: DNS:ada.example",
      "Host: a. does not match certificate's altnames: …",
    ],
    ['GET /a?name=Ada and /b?name=Ada', 'GET /a?… and /b?…'],
    ['rejected: {"name":"Ada"} or [{}], {}', 'rejected: {…}'],
    ['at 123 45 67 or 123 45 6', 'at … or 123 45 6'],
    ['of type "a" is "Ada Lovelace" or "b" or "Ada, no"', 'of type "a" is "…" or "b" or "…"'],
    ['querySrv ESERVFAIL ada.example', 'querySrv ESERVFAIL …'],
    ['GET </cv?name=Ada> failed; what? a = b', 'GET </cv?…> failed; what? a = b'],
    [`no mailbox 'ada@a.example', <l@a.example> or a@a.example: full`, `no mailbox '…', <…> or …: full`],
    ['keys pek_live_Ada and whsec_Ada are old', 'keys pek_… and whsec_… are old'],
    ['tokens Ada0eyJhbGciOiJIUzI1NiJ9 and 0123456789abcdef01234567 are old', 'tokens … and … are old'],
    ['calling +1 (415) 555-0123 or 4155550123 took 12 s', 'calling … or … took 12 s'],
    ['ungültige Eingabesyntax für Typ integer: »Ada«', 'ungültige Eingabesyntax für Typ integer: "…"'],
    ['valeur « Ada Lovelace » invalide pour « YYYY »', 'valeur "…" invalide pour "YYYY"'],
    ['literal de array mal formado: «Ada «Lovelace» Ada»', 'literal de array mal formado: "…"'],
    ['有缺陷的数组常量:"Ada" "Lovelace"', '有缺陷的数组常量:"…"'],
    ['hodnota „Ada Lovelace“ sloupce “email”', 'hodnota "…" sloupce "email"'],
    ["la relation « ph_event » n'existe pas", `la relation "ph_event" n'existe pas`],
    ['Failed to parse URL from /resumes/Ada Lovelace.pdf', 'Failed to parse URL from …'],
    [
      "ENOSPC: no space left on device, rename 'C:\\cv\\Ada.DOCX' -> '/cv/ej_app_1/Ada O'Lovelace, Ada.pdf'",
      "ENOSPC: no space left on device, rename 'C:\\cv\\….DOCX' -> '/cv/ej_app_1/….pdf'",
    ],
    [`no bucket has 'Ada Lovelace.odt'`, `no bucket has '….odt'`],
    ['said "Ada «Lovelace» »Ada« “Ada”"', 'said "…"'],
    ['said "Ada, no" and "not Ada" of "ph_key"', 'said "…" and "…" of "ph_key"'],
  ])('removes only the quoted data: %s', (message, told) => {
    expect(describeError(new Error(message)).message).toBe(told);
  });

  it.each([
    'duplicate key value violates unique constraint "ph_application_key_id_source_application_id_key"',
    'relation "ph_event" does not exist',
    'null value in column "title" of relation "ph_job" violates not-null constraint',
    `column "${'x'.repeat(63)}" does not exist`,
    'Mount it before the body parser, or put that on your own routes: `app.use("/my-routes", express.json())`.',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'canceling statement due to statement timeout',
    "ENOENT: no such file or directory, open '/var/lib/hiring/resumes/x'",
  ])('keeps text that operators search for: %s', (message) => {
    expect(describeError(new Error(message)).message).toBe(message);
  });

  it.each([
    'rejected: {"a":{},"name":"Ada",',
    'Key (a)=(Ada (1) Ada',
    'Failing row contains (1, Ada',
    'Typ integer: »Ada',
  ])('removes quoted data from a message too long to search: %s', (start) => {
    expect(describeError(new Error(`${start} ${'x '.repeat(1_000)}`)).message).not.toContain('Ada');
  });

  it('limits long values and accepts odd ones', () => {
    expect(describeError(new Error('x '.repeat(1_000_000))).message).toBe(`${'x '.repeat(250)}…`);
    expect(describeError(new Error('x '.repeat(250))).message).toBe('x '.repeat(250));
    expect(describeError('Ada')).toEqual({ name: 'string', message: 'The thrown value is not an Error.' });
    expect(describeError(new Error('a'))).not.toHaveProperty('cause');
    const odd = Object.assign(new Error(''), { name: 'Ada Lovelace', code: { ada: 1 }, stack: 7 });
    expect(describeError(odd)).toEqual({ name: 'Error', message: '' });
    expect(describeError(Object.assign(new Error(''), { code: 7 })).code).toBe('7');
    expect(describeError(Object.assign(new Error(''), { code: 'Ada Lovelace' }))).not.toHaveProperty('code');
    const circular = new Error('a');
    circular.cause = circular;
    expect(JSON.stringify(describeError(circular)).match(/"message":"a"/g)).toHaveLength(4);
  });

  it('keeps one line per frame, without the current or an earlier message', () => {
    expect(describeError(new Error('first\n    at Ada (file.js:1:2)')).stack).not.toContain('Ada');
    const changed = new Error('Ada lives  at 12:1\n    at 12:1 lives Ada');
    changed.message = 'first';
    const lines = describeError(changed).stack?.split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^ +at (?!.*(?:Ada| at ))/);
  });
});
