import type { Span } from '../ports/telemetry.js';

/** Where nobody records: the work alone. */
export const NO_SPAN: Span = {
  isRecorded: false,
  run: (work) => work(),
  set: () => {},
  fail: () => {},
  end: () => {},
};
