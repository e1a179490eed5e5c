import { type RuntimeTest, rejects } from './check.js';
import type { Subject } from './subject.js';

const BODY = '{"id":"evt_1"}';
const SECRET = 'whsec_test';

/** Tests that invalid options throw. */
export function setUpTests({ verifier }: Subject): readonly RuntimeTest[] {
  const { signWebhook, verifyWebhook } = verifier;

  /** Verifies a delivery with untyped options. */
  async function verifyWith(options: Readonly<Record<string, unknown>>): Promise<unknown> {
    const headers = await signWebhook({ body: BODY, secret: SECRET });
    return verifyWebhook({ body: BODY, headers, secret: SECRET, ...options });
  }

  const eachOf = (option: string, values: readonly unknown[]) => async () => {
    for (const value of values) await rejects(verifyWith({ [option]: value }), option, String(value));
  };
  return [
    {
      name: 'an empty secret throws: it would let anybody sign',
      run: eachOf('secret', ['', [], ['whsec_a', ''], undefined, null, [undefined], {}, 7]),
    },
    {
      name: 'a secret without a letter or digit throws: anybody might guess it',
      run: eachOf('secret', [
        ' ',
        '\t\r\n',
        '\u0085',
        '\u00A0\u2003\u2028\u3000',
        '\uFEFF\u200B',
        '\0',
        ['whsec_a', ' '],
      ]),
    },
    {
      name: 'a tolerance that is no number throws: it would refuse nothing',
      run: eachOf('toleranceSeconds', [Number.NaN, -1, Number.POSITIVE_INFINITY, null, '300']),
    },
    {
      name: 'a time that is no time throws',
      run: eachOf('now', [Number.NaN, Number.POSITIVE_INFINITY, new Date('never'), '2025']),
    },
    {
      name: 'signing throws for what cannot be signed',
      run: async () => {
        const sign = (options: object) => signWebhook({ body: BODY, secret: SECRET, ...options });
        await rejects(sign({ secret: '' }), 'secret', 'an empty secret');
        await rejects(sign({ secret: ' \n' }), 'secret', 'a blank secret');
        await rejects(sign({ body: {} }), 'body', 'a parsed body');
        await rejects(sign({ body: new Uint8Array([0xff]) }), 'body', 'no UTF-8');
        await rejects(sign({ timestamp: 1.5 }), 'timestamp', 'half a second');
        await rejects(sign({ timestamp: Number.NaN }), 'timestamp', 'no number');
      },
    },
  ];
}
