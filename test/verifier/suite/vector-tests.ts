import type { SigningVector, Vector } from '../vectors/format.js';
import { equal, type RuntimeTest } from './check.js';
import { bodyForms, HEADER_FORMS } from './forms.js';
import type { Subject } from './subject.js';

/** Tests every published vector in each form of headers and body. */
export function vectorTests(subject: Subject): readonly RuntimeTest[] {
  const { verify, sign } = subject.vectors;
  return [
    ...verify.map((vector) => ({
      name: `vector: ${vector.name}: ${vector.expected.ok ? 'verified' : vector.expected.reason}`,
      run: () => checkVector(subject, vector),
    })),
    ...sign.map((vector) => ({
      name: `vector: signing: ${vector.name}`,
      run: () => checkSigning(subject, vector),
    })),
  ];
}

async function checkVector({ verifier }: Subject, vector: Vector): Promise<void> {
  const { secrets: secret, now, toleranceSeconds, expected } = vector;
  for (const [headerForm, form] of Object.entries(HEADER_FORMS)) {
    for (const [bodyForm, body] of Object.entries(bodyForms(vector.body))) {
      const about = `${headerForm}, ${bodyForm}`;
      const headers = form(vector.headers);
      const result = await verifier.verifyWebhook({
        body,
        headers,
        secret,
        now: now * 1_000,
        toleranceSeconds,
      });
      if (result.ok) equal(result, expected, about);
      else {
        equal({ ok: false, reason: result.reason }, expected, about);
        if (result.hint.length < 20) throw new Error(`The hint says nothing: ${result.hint}`);
      }
    }
  }
}

async function checkSigning({ verifier }: Subject, vector: SigningVector): Promise<void> {
  const { secrets: secret, timestamp, headers } = vector;
  for (const [form, body] of Object.entries(bodyForms(vector.body))) {
    const signed = await verifier.signWebhook({ body, secret, timestamp });
    equal(Object.entries(signed), headers, form);
  }
}
