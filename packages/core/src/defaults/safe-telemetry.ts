import { OperatorError } from '../errors.js';
import type { Measure, Span, Telemetry } from '../ports/telemetry.js';
import { ignoreRejection } from './stray-promises.js';

/** Where nobody records: the work alone. */
export const NO_SPAN: Span = {
  isRecorded: false,
  run: (work) => work(),
  set: () => {},
  fail: () => {},
  end: () => {},
};

/**
 * The host's telemetry as the library uses it: one that throws, which it must not, loses a measurement or a span
 * and takes nothing with it, nor one whose promise rejects: Node would end the process. An attempt that was made is
 * recorded, and a batch that began is run.
 *
 * @throws OperatorError `MISCONFIGURED` out of `counter`, `histogram` and `observe`, if what comes back is no function:
 *   all measurements would be lost, or never end.
 */
export function createSafeTelemetry(telemetry: Telemetry): Telemetry {
  return {
    counter: (instrument) => safeMeasure(functionFrom('counter', telemetry.counter(instrument))),
    histogram: (instrument) => safeMeasure(functionFrom('histogram', telemetry.histogram(instrument))),
    observe(instruments, read) {
      const stop = functionFrom('observe', telemetry.observe(instruments, read));
      return () => quietly(stop);
    },
    startSpan(name, kind, attributes) {
      let span: Span | null | undefined = null;
      quietly(() => {
        span = telemetry.startSpan(name, kind, attributes);
        return span;
      });
      return span ? safeSpan(span) : NO_SPAN;
    },
    seconds: safeClock(telemetry),
  };
}

/** JavaScript lets through a method that is asynchronous, whose rejection nobody else would take. */
function functionFrom<Made>(method: 'counter' | 'histogram' | 'observe', made: Made): Made {
  if (typeof made === 'function') return made;
  ignoreRejection(made);
  const message = `\`telemetry.${method}\` must return a function synchronously, not a promise.`;
  throw new OperatorError('MISCONFIGURED', message);
}

/** A clock that breaks stands still. */
function safeClock(telemetry: Telemetry): () => number {
  let seconds = 0;
  return () => {
    quietly(() => {
      seconds = telemetry.seconds();
    });
    return seconds;
  };
}

/** A measure that loses what it throws at. */
export function safeMeasure(measure: Measure): Measure {
  return (value, attributes) => {
    try {
      ignoreRejection(measure(value, attributes));
    } catch {
      // As below; without a closure, for this is called for every request and attempt.
    }
  };
}

/** A span that does its work once, whatever it throws before or after it. */
export function safeSpan(span: Span): Span {
  return {
    isRecorded: span.isRecorded,
    run: (work) => runOnce(span, work),
    set: (attributes) => quietly(() => span.set(attributes)),
    fail: (type) => quietly(() => span.fail(type)),
    end: () => quietly(() => span.end()),
  };
}

/** The work is done once, whatever the span does before or after it. */
function runOnce<T>(span: Span, work: () => T): T {
  let done: Outcome<T> | null = null;
  const doOnce = (): Outcome<T> => {
    done ??= outcomeOf(work);
    return done;
  };
  quietly(() => span.run(() => void doOnce()));
  const outcome = doOnce();
  if ('error' in outcome) throw outcome.error;
  return outcome.result;
}

type Outcome<T> = { readonly result: T } | { readonly error: unknown };

function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { result: work() };
  } catch (error) {
    return { error };
  }
}

/** Does what may throw, or be asynchronous and reject, and goes on. */
export function quietly(act: () => unknown): void {
  try {
    ignoreRejection(act());
  } catch {
    // Whoever measures cannot be told by a measurement; what is measured goes on.
  }
}
