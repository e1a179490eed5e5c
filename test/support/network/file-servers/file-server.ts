import { createZip } from '../../zip.js';

/** An answer of a server, and what a browser makes of it. */
export interface FileServer {
  /** The server, and what is special about its answer. */
  readonly title: string;
  readonly path: string;
  readonly status: string;
  /** Header lines. Text is sent as UTF-8. */
  readonly headers: readonly (string | Buffer)[];
  readonly body: Buffer;
  /** The file in a browser, with the name that we give it. Null if the answer contains no résumé. */
  readonly file: { readonly bytes: Buffer; readonly name: string; readonly type: string } | null;
  /** Where the answer, or what browsers make of it, is known from. */
  readonly evidence: string;
  /** Why `curl --compressed -OJ` (7.88) saves something else than a browser. */
  readonly notCurl?: string;
}

const PDF_TYPE = 'application/pdf';
export const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const EACH_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

export const PDF = Buffer.concat([
  Buffer.from(`%PDF-1.7\n%âãÏÓ\n1 0 obj\n${'Jane Doe, welder. '.repeat(40)}`),
  EACH_BYTE,
  Buffer.from('\n%%EOF'),
]);
export const DOCX = createZip({
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': '',
  'word/document.xml': '<w/>',
});
export const ODT = createZip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<x/>' });
export const RTF = Buffer.from('{\\rtf1\\ansi Jane Doe, welder}');
export const TEXT = Buffer.from('Jane Doe\nWelder in Zürich since 2015\n');

export const UNKNOWN_CODING =
  'curl --compressed fails with 61 at a coding that it does not know; browsers ignore it';
export const WRONG_CODING = 'curl --compressed fails with 61; the raw bytes are the file';
export const NO_EXTENDED = 'curl does not read filename* (curl#1888)';
export const NO_WORDS = 'curl does not read encoded words; Chrome does (spring-framework#26463)';
export const NO_BASE64 = 'curl and browsers save the Base64, which a person would have to decode';

type Rest = Partial<Omit<FileServer, 'title' | 'file' | 'evidence'>>;

/** A server that sends this file, by default a PDF without a header of its name. */
export function sends(
  title: string,
  name: string,
  evidence: string,
  { bytes = PDF, type = PDF_TYPE, ...rest }: Rest & { readonly bytes?: Buffer; readonly type?: string } = {},
): FileServer {
  return {
    title,
    path: '/cv.pdf',
    status: '200 OK',
    headers: [],
    body: bytes,
    ...rest,
    file: { bytes, name, type },
    evidence,
  };
}

/** A server whose answer contains no résumé. */
export function refuses(title: string, body: string | Buffer, evidence: string, rest: Rest = {}): FileServer {
  const answer = { path: '/cv.pdf', status: '200 OK', headers: [], ...rest };
  return { title, ...answer, body: Buffer.from(body), file: null, evidence };
}

export function disposition(value: string): readonly string[] {
  return [`Content-Disposition: ${value}`];
}

/** The whole answer, as raw bytes. */
export function answerOf({ status, headers, body }: FileServer): Buffer {
  const head = [
    `HTTP/1.1 ${status}`,
    ...headers,
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    '',
  ];
  const lines = head
    .map((line) => Buffer.from(line))
    .flatMap((line, index) => (index === 0 ? [line] : [CRLF, line]));
  return Buffer.concat([...lines, body]);
}

const CRLF = Buffer.from('\r\n');
