import type { ExplainedRequest } from '@partner-hiring/core';
import type { Child } from 'hono/jsx';
import { LABELS } from '../../labels.js';
import { Prose } from '../../view/prose.js';

/** Says whether a request succeeded. If not, by which rule, and what to do. */
export function AnswerCard({
  request: { code, refusal, isReplay },
  replay,
  failed,
  todo,
  hints = [],
  children,
}: {
  readonly request: Pick<ExplainedRequest, 'code' | 'refusal' | 'isReplay'>;
  /** The text for a request that repeated another. */
  readonly replay: string;
  /** The fields that failed. */
  readonly failed: Child;
  /** The words before what to do. */
  readonly todo: string;
  /** The first step to take. */
  readonly hints?: readonly string[];
  readonly children?: Child;
}) {
  return refusal === null ? (
    <section class="card news good" aria-label={LABELS.answer}>
      <p class="lead">The request succeeded.</p>
      {isReplay ? <p>{replay}</p> : null}
    </section>
  ) : (
    <section class="card news bad" aria-label={LABELS.answer}>
      <p class="lead">
        The request was refused: <code>{code}</code>
      </p>
      {failed}
      <p>
        <strong>Rule: </strong>
        <Prose text={refusal.rule} />
      </p>
      <p>
        <strong>{todo}</strong>
        <Prose text={[...hints, refusal.fix].join(' ')} />
      </p>
      {children}
    </section>
  );
}
