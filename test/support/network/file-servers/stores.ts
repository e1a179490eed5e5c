import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  DOCX,
  DOCX_TYPE,
  disposition,
  type FileServer,
  NO_EXTENDED,
  PDF,
  RTF,
  refuses,
  sends,
  TEXT,
  UNKNOWN_CODING,
  WRONG_CODING,
} from './file-server.js';

const coded = (...values: string[]) => values.map((value) => `Content-Encoding: ${value}`);
const S3_XML = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code></Error>';

/** Object stores, which repeat the headers of the upload. */
export const STORES: readonly FileServer[] = [
  sends('S3, a signed link', 'cv.pdf', 'S3 API, GetObject', {
    path: '/bucket/cv.pdf?X-Amz-Expires=3600&X-Amz-Signature=0a',
    headers: ['x-amz-request-id: 1', 'ETag: "1"', 'Content-Type: application/pdf', 'Server: AmazonS3'],
  }),
  sends('S3, a name asked for in the link', 'Jane Doe.pdf', 'S3 API, response-content-disposition', {
    path: '/1f2e?response-content-disposition=attachment',
    headers: [...disposition('attachment; filename="Jane Doe.pdf"'), 'Content-Type: binary/octet-stream'],
  }),
  sends('S3, an upload in chunks of an older SDK', 'cv.pdf', 'amazonka#681: an empty coding', {
    headers: coded(''),
  }),
  sends('S3, an upload with the coding `zip`', 'cv.pdf', 'jeroen/curl#160', {
    headers: coded('zip'),
    notCurl: UNKNOWN_CODING,
  }),
  sends('S3, a file that was compressed before its upload', 'cv.pdf', 'amazonka#681', {
    headers: coded('gzip'),
    body: gzipSync(PDF),
  }),
  sends('S3, Word without a type', 'cv.docx', 'S3 API: binary/octet-stream is the default', {
    path: '/cv.docx',
    headers: ['Content-Type: binary/octet-stream'],
    bytes: DOCX,
    type: DOCX_TYPE,
  }),
  sends('a gateway that repeats `aws-chunked`', 'cv.pdf', 'versitygw#2398', {
    headers: coded('aws-chunked'),
    notCurl: UNKNOWN_CODING,
  }),
  sends('a gateway that repeats `aws-chunked` beside gzip', 'cv.pdf', 'versitygw#2398', {
    headers: coded('aws-chunked,gzip'),
    body: gzipSync(PDF),
    notCurl: UNKNOWN_CODING,
  }),
  sends('a gateway that repeats codings in two headers', 'cv.pdf', 'RFC 9110, 5.2', {
    headers: coded('aws-chunked', 'gzip'),
    body: gzipSync(PDF),
    notCurl: UNKNOWN_CODING,
  }),
  sends(
    'MinIO, an upload with `identity, gzip` that is compressed',
    'cv.pdf',
    'RFC 9110, 8.4: from the right',
    {
      headers: coded('identity, gzip'),
      body: gzipSync(PDF),
    },
  ),
  sends('MinIO, an upload with `identity, gzip` that is not compressed', 'cv.pdf', 'rackspace/rack#150', {
    headers: coded('identity, gzip'),
    notCurl: WRONG_CODING,
  }),
  sends('MinIO, two codings', 'cv.pdf', 'RFC 9110, 8.4', {
    headers: coded('gzip, br'),
    body: brotliCompressSync(gzipSync(PDF)),
  }),
  sends('R2, compressed by Brotli', 'cv.pdf', 'RFC 7932', {
    headers: coded('br'),
    body: brotliCompressSync(PDF),
  }),
  sends('R2, a coding in capitals with a weight', 'cv.pdf', 'RFC 9110, 8.4.1: any letter case', {
    headers: coded('GZIP;q=1.0'),
    body: gzipSync(PDF),
    notCurl: UNKNOWN_CODING,
  }),
  sends('R2, the coding `none`', 'cv.pdf', 'the plan of this test', { headers: coded('none') }),
  sends('GCS, gzip on a file that is not compressed', 'cv.pdf', 'google-cloud-python#10207', {
    headers: coded('gzip'),
    notCurl: WRONG_CODING,
  }),
  sends('GCS, compressed on the way', 'cv.rtf', 'GCS, transcoding', {
    path: '/download/storage/v1/b/files/o/cv.rtf?alt=media',
    headers: [...coded('gzip'), 'Content-Type: application/rtf', 'x-goog-stored-content-encoding: gzip'],
    bytes: RTF,
    type: 'application/rtf',
    body: gzipSync(RTF),
  }),
  sends('GCS, an encoded path', 'Jane Doe.pdf', 'Firebase Storage, links to objects', {
    path: '/v0/b/app/o/resumes%2FJane%20Doe.pdf?alt=media&token=1',
    notCurl: 'curl names the file after the path as it is encoded',
  }),
  sends('GCS, a name in UTF-8 beside another', 'Jürg Müller.pdf', 'RFC 6266, 4.3', {
    headers: disposition(
      `attachment; filename="Jurg Muller.pdf"; filename*=UTF-8''J%C3%BCrg%20M%C3%BCller.pdf`,
    ),
    notCurl: NO_EXTENDED,
  }),
  sends('Azure, the coding `UTF-8`', 'cv.pdf', 'azure-storage-ruby#20', {
    headers: [...coded('UTF-8'), 'x-ms-blob-type: BlockBlob'],
    notCurl: UNKNOWN_CODING,
  }),
  sends('Azure, the coding `utf8`', 'cv.pdf', 'Azurite#732', {
    headers: coded('utf8'),
    notCurl: UNKNOWN_CODING,
  }),
  sends('Azure, a type as the coding', 'cv.pdf', 'azure-storage-ruby#49', {
    headers: coded('application/octet-stream'),
    notCurl: UNKNOWN_CODING,
  }),
  sends('Azure, the coding `GB18030`', 'cv.txt', 'azure-sdk-for-node#741', {
    path: '/files/cv.txt',
    headers: coded('GB18030'),
    bytes: TEXT,
    type: 'text/plain',
    notCurl: UNKNOWN_CODING,
  }),
  sends('Azure, gzip that is not', 'cv.pdf', 'azure-cli#8245', {
    headers: coded('gzip'),
    notCurl: WRONG_CODING,
  }),
  sends('Azure, compressed by deflate', 'cv.pdf', 'RFC 1950', {
    headers: coded('deflate'),
    body: deflateSync(PDF),
  }),
  sends('a CDN, deflate without its header', 'cv.pdf', 'zlib FAQ 39: servers that send raw deflate', {
    headers: coded('deflate'),
    body: deflateRawSync(PDF),
  }),
  sends('a CDN, the whole file as a range', 'cv.pdf', 'RFC 9110, 15.3.7', {
    status: '206 Partial Content',
    headers: [`Content-Range: bytes 0-${PDF.length - 1}/${PDF.length}`],
  }),
  sends('a proxy that transforms', 'cv.pdf', 'RFC 9110, 15.3.4', {
    status: '203 Non-Authoritative Information',
  }),
  refuses('a CDN, a part of the file', PDF.subarray(0, 100), 'RFC 9110, 15.3.7', {
    status: '206 Partial Content',
    headers: [`Content-Range: bytes 0-99/${PDF.length}`],
  }),
  refuses('a CDN, a range of unknown length', PDF.subarray(0, 100), 'RFC 9110, 14.4', {
    status: '206 Partial Content',
    headers: ['Content-Range: bytes 0-99/*'],
  }),
  refuses('S3, an upload that is not there yet', S3_XML, 'S3 API, NoSuchKey', { status: '404 Not Found' }),
  refuses('S3, a signed link of a clock ahead', S3_XML, 's3-signer#16', { status: '403 Forbidden' }),
  refuses('S3, an error behind a CDN that answers 200', S3_XML, 'CloudFront, custom error responses'),
];
