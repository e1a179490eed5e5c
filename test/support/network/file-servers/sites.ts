import { gzipSync } from 'node:zlib';
import {
  DOCX,
  DOCX_TYPE,
  disposition,
  type FileServer,
  NO_BASE64,
  NO_EXTENDED,
  NO_WORDS,
  ODT,
  PDF,
  RTF,
  refuses,
  sends,
  TEXT,
  UNKNOWN_CODING,
} from './file-server.js';

const BASE64 = PDF.toString('base64');
const LINES = BASE64.replace(/.{76}/g, '$&\r\n');
const named = (value: string) => ({ headers: disposition(value) });

function gateway(
  title: string,
  body: string,
  rest: { readonly bytes?: Buffer; readonly type?: string } = {},
) {
  const answer = { path: '/prod/cv', body: Buffer.from(body), notCurl: NO_BASE64, ...rest };
  return sends(`API Gateway, ${title}`, `cv${EXTENSIONS[rest.type ?? ''] ?? '.pdf'}`, GATEWAY, answer);
}

const GATEWAY = 'API Gateway: binary files need binaryMediaTypes';
const EXTENSIONS: Readonly<Record<string, string>> = {
  [DOCX_TYPE]: '.docx',
  'application/rtf': '.rtf',
  'text/plain': '.txt',
};

/** Gateways, sites and programs that name their files. */
export const SITES: readonly FileServer[] = [
  gateway('Base64 of a PDF', BASE64),
  gateway('Base64 in quotes', JSON.stringify(BASE64)),
  gateway('Base64 in quotes of PHP', JSON.stringify(BASE64).replaceAll('/', '\\/')),
  gateway('Base64 in quotes of .NET', JSON.stringify(BASE64).replaceAll('+', '\\u002B')),
  gateway('Base64 in quotes of Gson', JSON.stringify(BASE64).replaceAll('=', '\\u003d')),
  gateway('Base64 in quotes of Python', `b'${BASE64}'`),
  gateway('Base64 in lines', LINES),
  gateway('Base64 for URLs, without its end', PDF.toString('base64url')),
  gateway('a data URI', `data:application/pdf;base64,${BASE64}`),
  gateway('a data URI in quotes', `"data:application/pdf;filename=cv.pdf;base64,${BASE64}"`),
  gateway('Base64 of Word', DOCX.toString('base64'), { bytes: DOCX, type: DOCX_TYPE }),
  gateway('Base64 of RTF', RTF.toString('base64'), { bytes: RTF, type: 'application/rtf' }),
  gateway('Base64 of text', TEXT.toString('base64'), { bytes: TEXT, type: 'text/plain' }),
  gateway('a data URI of text', `data:text/plain;base64,${TEXT.toString('base64')}`, {
    bytes: TEXT,
    type: 'text/plain',
  }),
  refuses('API Gateway, a data URI of a picture', 'data:image/png;base64,iVBORw0KGgo=', GATEWAY, {
    path: '/cv',
  }),
  refuses('API Gateway, an error', '{"message":"Internal server error"}', 'API Gateway, error responses'),
  refuses(
    'API Gateway, the text of an error',
    'Missing Authentication Token',
    'API Gateway, error responses',
  ),
  sends('SharePoint, a name in UTF-8', 'Lebenslauf Köchin.docx', 'RFC 8187', {
    path: '/_layouts/15/download.aspx?UniqueId=1',
    ...named(`attachment;filename*=utf-8''Lebenslauf%20K%C3%B6chin.docx;filename="Lebenslauf K_chin.docx"`),
    bytes: DOCX,
    type: DOCX_TYPE,
    notCurl: NO_EXTENDED,
  }),
  sends('SharePoint, an encoded name', 'Jürg CV.pdf', 'xdm#1 (outlook.com); owncloud#18411', {
    path: '/download.aspx',
    ...named('attachment; filename="J%C3%BCrg%20CV.pdf"'),
    notCurl: 'curl does not decode names; Chrome does',
  }),
  sends(
    'WordPress, raw UTF-8',
    'Żaneta Łoś.pdf',
    'qutebrowser#1724; greenbytes.de/tech/tc2231 attwithutf8fnplain',
    {
      path: '/wp-content/download.php?id=5',
      headers: [
        ...disposition('attachment; filename="Żaneta Łoś.pdf"'),
        'Content-Type: application/force-download',
      ],
    },
  ),
  sends('WordPress, raw UTF-8 without quotes', 'Łoś CV 2026.pdf', 'bluelatex#87', {
    path: '/download.php',
    ...named('attachment; filename=Łoś CV 2026.pdf'),
  }),
  sends('an old site, raw Latin-1', 'Jürg Müller.pdf', 'tc2231 attwithisofnplain', {
    path: '/download.php',
    headers: [Buffer.from('Content-Disposition: attachment; filename="Jürg Müller.pdf"', 'latin1')],
    notCurl: 'curl saves the bytes as they are',
  }),
  sends('WordPress, the coding `none` and a wrong type', 'cv.pdf', 'download plugins send fixed headers', {
    headers: ['Content-Encoding: none', 'Content-Type: text/html; charset=UTF-8'],
  }),
  sends(
    'WordPress, the coding `binary`',
    'cv.pdf',
    'Content-Transfer-Encoding of e-mail in the wrong header',
    {
      headers: ['Content-Encoding: binary', 'Content-Transfer-Encoding: binary'],
      notCurl: UNKNOWN_CODING,
    },
  ),
  sends('NocoDB, the coding `utf-8`', 'cv.odt', 'nocodb#14038', {
    path: '/cv.odt',
    headers: ['Content-Encoding: utf-8', 'Content-Type: application/octet-stream'],
    bytes: ODT,
    type: 'application/vnd.oasis.opendocument.text',
    notCurl: UNKNOWN_CODING,
  }),
  sends('a bank, an encoded word (B)', '日本語.pdf', 'spring-framework#26463', {
    ...named('attachment; filename="=?UTF-8?B?5pel5pys6KqeLnBkZg==?="'),
    notCurl: NO_WORDS,
  }),
  sends('Exchange, an encoded word (Q)', 'Jürg CV.pdf', 'RFC 2047, 4.2', {
    ...named('attachment; filename="=?iso-8859-1?Q?J=FCrg_CV.pdf?="'),
    notCurl: NO_WORDS,
  }),
  sends('Exchange, two encoded words', 'Grüße Müller.pdf', 'RFC 2047, 6.2', {
    ...named('attachment; filename="=?utf-8?q?Gr=C3=BC=C3=9Fe_?= =?utf-8?q?M=C3=BCller=2Epdf?="'),
    notCurl: NO_WORDS,
  }),
  sends('Tomcat, filename* in ISO-8859-1', 'Müller.pdf', 'RFC 5987, 3.2.2', {
    ...named("attachment; filename*=iso-8859-1'de'M%FCller.pdf"),
    notCurl: NO_EXTENDED,
  }),
  sends('IIS, filename* in Windows-1252', 'Renée’s CV.pdf', 'WHATWG Encoding', {
    ...named("attachment; filename*=windows-1252''Ren%E9e%92s%20CV.pdf"),
    notCurl: NO_EXTENDED,
  }),
  sends('a Japanese site, filename* in Shift_JIS', '履歴書.pdf', 'OpenViking#3315', {
    ...named("attachment; filename*=Shift_JIS''%97%9A%97%F0%8F%91.pdf"),
    notCurl: NO_EXTENDED,
  }),
  sends('a Russian site, filename* in KOI8-R', 'Резюме.pdf', 'WHATWG Encoding', {
    ...named("attachment; filename*=koi8-r''%F2%C5%DA%C0%CD%C5.pdf"),
    notCurl: NO_EXTENDED,
  }),
  sends('a file box, filename* in quotes', 'Jane.pdf', 'curl#10768', {
    ...named(`attachment;filename*="utf-8' 'Jane.pdf"`),
    notCurl: NO_EXTENDED,
  }),
  sends('a broken filename* before a good name', 'Jane.pdf', 'OpenViking#3315', {
    ...named(`attachment; filename*=UTF-8''%E0%A4%A; filename="Jane.pdf"`),
  }),
  sends('an unknown character set before a good name', 'Jane.pdf', 'RFC 8187, 3.2.1', {
    ...named(`attachment; filename*=none''J%FC.pdf; filename="Jane.pdf"`),
  }),
  sends('Dropbox, both names', 'Jane Doe.pdf', 'jeroen/curl#187', {
    ...named(`attachment; filename="Jane Doe.pdf"; filename*=UTF-8''Jane%20Doe.pdf`),
  }),
  sends('Google Drive, after its redirect', 'CV.pdf', 'RFC 6266', {
    path: '/download?id=1&export=download',
    ...named('attachment; filename="CV.pdf"; filename*=UTF-8\'\'CV.pdf'),
  }),
  sends('nginx, compressed although not asked for', 'cv.pdf', 'gzip_static always', {
    headers: ['Content-Encoding: gzip', 'Vary: Accept-Encoding'],
    body: gzipSync(PDF),
  }),
  sends('Rails, a name that contains a semicolon', 'Doe; Jane.pdf', 'RFC 9110, 5.6.4', {
    ...named('attachment; filename="Doe; Jane.pdf"'),
  }),
  sends('Django, an escaped quote', 'Jane Ada Doe.pdf', 'RFC 9110, 5.6.4', {
    ...named('attachment; filename="Jane \\"Ada\\" Doe.pdf"'),
    notCurl: 'a name on Windows has no quotes',
  }),
  sends('ASP.NET, a path of Windows', 'cv.pdf', 'RFC 6266, 4.3', {
    path: '/get.ashx',
    ...named('attachment; filename="C:\\Users\\jane\\cv.pdf"'),
  }),
  sends('Express, text', 'cv.txt', 'RFC 2046, 4.1.3', {
    path: '/cv.txt',
    headers: ['Content-Type: text/plain; charset=utf-8'],
    bytes: TEXT,
    type: 'text/plain',
  }),
  refuses('nginx, a page', '<html><title>404 Not Found</title></html>', 'nginx error pages'),
  refuses('a Go program, the text of an error', '404 page not found\n', 'net/http, NotFound', {
    headers: ['Content-Type: text/plain; charset=utf-8'],
  }),
  refuses(
    'a program, an error under the name of the file',
    'File not found',
    'Content-Disposition before the error',
    {
      path: '/download?id=1',
      ...named('attachment; filename="cv.docx"'),
    },
  ),
  refuses(
    'a program, an error under the type of the file',
    'Access denied.',
    'Content-Type before the error',
    {
      path: '/download?id=1',
      headers: ['Content-Type: application/pdf'],
    },
  ),
  refuses('Laravel, an upload under way', 'accepted', 'RFC 9110, 15.3.3', { status: '202 Accepted' }),
  refuses('WebDAV, a locked file', 'locked', 'RFC 4918, 11.3', { status: '423 Locked' }),
];
