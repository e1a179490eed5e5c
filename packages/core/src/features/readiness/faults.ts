import { FINDINGS } from '../../probes/index.js';

/** Faults for which certify has no finding, because it stops at them. */
const OWN_FAULTS = {
  no_answer: {
    summary: 'The endpoint gave no answer to a correct event.',
    remedy: 'Check its URL, its certificate and its firewall.',
  },
  refused_event: {
    summary: 'The endpoint did not answer a correct event with 2xx.',
    remedy: FINDINGS.refuses_everything.remedy,
  },
} as const;

/** Why a probe failed: a finding of certify, or one of the service. */
export type ProbeFault = keyof typeof FINDINGS | keyof typeof OWN_FAULTS;

const FAULTS: Readonly<Record<string, { readonly summary: string; readonly remedy: string }>> = {
  ...FINDINGS,
  ...OWN_FAULTS,
};

/** Says what the endpoint did wrong in a probe, and how to fix it. */
export function describeFault(fault: string): string {
  const text = FAULTS[fault];
  return text === undefined ? 'Probe the endpoint again.' : `${text.summary} ${text.remedy}`;
}
