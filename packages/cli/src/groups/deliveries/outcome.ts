import type {
  AttemptOutcome,
  BulkSending,
  DeliveryCounts,
  DeliveryDetails,
  DeliveryEvidence,
  EndpointFailure,
  KeyId,
} from '@partner-hiring/core';
import type { Report } from '../../command/command.js';
import { moment, tableReport } from '../../report/report.js';

/** Returns the HTTP status of an attempt, such as `HTTP 500`, or the code of its network failure. */
export function describeOutcome(outcome: AttemptOutcome | EndpointFailure): string {
  if (outcome.kind === 'failed') return outcome.failure;
  const oddAnswer = 'oddAnswer' in outcome ? outcome.oddAnswer : undefined;
  const odd = oddAnswer === undefined ? '' : `, odd_answer: ${oddAnswer}`;
  return `HTTP ${outcome.status}${odd}`;
}

/** Returns the start of the response, or the network error. */
export function outcomeLine(outcome: AttemptOutcome): string {
  return outcome.kind === 'answered' ? outcome.excerpt : outcome.message;
}

/** Formats a duration. A dash means unknown. */
export function duration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1_000) return `${ms} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Tells when and how a delivery succeeded, such as `2026-01-31 09:00:00Z, HTTP 200, 12 ms`. A dash means not known. */
export function evidenceText(evidence: DeliveryEvidence | null): string {
  if (evidence === null) return '-';
  return `${moment(evidence.deliveredAt)}, HTTP ${evidence.status}, ${duration(evidence.latencyMs)}`;
}

/** Says where a delivery stands, and when it succeeded. */
export function standingText({ delivery, successes }: DeliveryDetails): string {
  const { state, attempts, cycle, dueAt } = delivery;
  const next = dueAt === null ? '' : `, the next due ${moment(dueAt)}`;
  const noEvidence = state === 'delivered' ? ['delivered by a release that recorded no evidence'] : [];
  const lines = successes.map((success) => `delivered ${evidenceText(success)}, attempt ${success.attempts}`);
  return [
    `${state}, ${attempts} attempts in cycle ${cycle}${next}`,
    ...(lines.length === 0 ? noEvidence : lines),
  ].join('\n');
}

/** Says how many deliveries a command sends, or would send, and which of them it holds or skips. */
export function sendingText({ count, held, skipped, operation }: BulkSending, isDryRun: boolean): string {
  return [
    `${isDryRun ? 'Would resend' : 'Resending'} ${count}.`,
    ...(held === 0 ? [] : [`The paused endpoint holds ${held} until it is resumed.`]),
    ...(skipped === 0 ? [] : [`Skipped ${skipped}.`]),
    ...(operation === null ? [] : [`The worker sends the rest: operations show ${operation.id}`]),
  ].join(' ');
}

/**
 * Renders the counts of each endpoint, and a row with their total. The labels are the partners of the keys, such as
 * `Acme ATS (production)`.
 */
export function countTable(counts: DeliveryCounts, labels: ReadonlyMap<KeyId, string> = new Map()): Report {
  const named = counts.endpoints.map((row) => ({ ...row, label: labels.get(row.keyId) ?? null }));
  const rows = [...named, { ...counts.overall, keyId: 'all', label: null }];
  const { text } = tableReport(
    rows,
    {
      KEY: ({ keyId }) => keyId,
      PARTNER: ({ label }) => label,
      DUE: ({ due }) => due,
      'IN FLIGHT': ({ inFlight }) => inFlight,
      SCHEDULED: ({ scheduled }) => scheduled,
      PAUSED: ({ paused }) => paused,
      DEAD: ({ dead }) => dead,
      OLDEST: ({ oldestWaitingMs }) => duration(oldestWaitingMs),
      EXACT: ({ isExact }) => (isExact ? 'yes' : 'at least'),
    },
    '',
  );
  return { value: counts, text };
}
