import { expect, test } from 'vitest';
import { parseSignatureHeader } from './signature-header.js';

const A = 'a'.repeat(64);
const B = '0123456789abcdef'.repeat(4);

test.each([
  [`t=1,v1=${A}`, { timestamp: '1', signatures: [A] }],
  [`t=0,v1=${A},v1=${B}`, { timestamp: '0', signatures: [A, B] }],
  [`v1=${A},t=1750000000`, { timestamp: '1750000000', signatures: [A] }],
  [`t=1,v0=zz,v2=any+thing/at=all,v1=${A}`, { timestamp: '1', signatures: [A] }],
  [`t=1,v1=${A},keyId=,v1a=~!`, { timestamp: '1', signatures: [A] }],
  [`t=1, v1=${A} ,\tv1=${B}\t , keyId= ,v0=zz`, { timestamp: '1', signatures: [A, B] }],
])('the parser takes %s', (header, expected) => {
  expect(parseSignatureHeader(header)).toEqual(expected);
});

test.each([
  ['nothing', ''],
  ['no t', `v1=${A}`],
  ['no v1', 't=1'],
  ['another scheme only', `t=1,v0=${A}`],
  ['two t', `t=1,t=1,v1=${A}`],
  ['an empty t', `t=,v1=${A}`],
  ['a leading zero', `t=01,v1=${A}`],
  ['a sign', `t=-1,v1=${A}`],
  ['a plus', `t=+1,v1=${A}`],
  ['a fraction', `t=1.0,v1=${A}`],
  ['an exponent', `t=1e3,v1=${A}`],
  ['hexadecimal', `t=0x1,v1=${A}`],
  ['more digits than a number holds', `t=${'9'.repeat(20)},v1=${A}`],
  ['digits of another script', `t=١,v1=${A}`],
  ['a junk tail on the digest', `t=1,v1=${A}zz`],
  ['a line break on the digest', `t=1,v1=${A}\n`],
  ['a digest too long', `t=1,v1=${A}00`],
  ['a digest too short', `t=1,v1=${A.slice(2)}`],
  ['an upper-case digest', `t=1,v1=${A.toUpperCase()}`],
  ['an empty digest', 't=1,v1='],
  ['one bad digest among good ones', `t=1,v1=${A},v1=zz`],
  ['an entry without a value', `t=1,v1=${A},v2`],
  ['an empty entry', `t=1,v1=${A},`],
  ['an entry without a name', `t=1,=x,v1=${A}`],
  ['a blank before everything', ` t=1,v1=${A}`],
  ['a blank behind everything', `t=1,v1=${A} `],
  ['a blank instead of an entry', `t=1, ,v1=${A}`],
  ['a blank behind an equals sign', `t=1,v1= ${A}`],
  ['a blank before an equals sign', `t =1,v1=${A}`],
  ['blanks without a comma', `t=1  v1=${A}`],
  ['a line break behind the comma', `t=1,\nv1=${A}`],
  ['a non-breaking space behind the comma', `t=1,\u00A0v1=${A}`],
  ['an entry of another scheme with a blank in its value', `t=1,v1=${A},v2=any thing`],
  ['an entry of another scheme with a line break in its value', `t=1,v1=${A},v2=any\nthing`],
  ['an entry of another scheme beyond ASCII', `t=1,v1=${A},v2=Köchin`],
  ['an entry with a name in upper case', `t=1,v1=${A},V2=zz`],
  ['an entry with a hyphen in its name', `t=1,v1=${A},v-2=zz`],
  ['an entry with a name that begins with a digit', `t=1,v1=${A},2v=zz`],
])('the parser rejects %s', (_, header) => {
  expect(parseSignatureHeader(header)).toBeNull();
});
