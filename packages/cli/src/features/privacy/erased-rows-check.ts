import { onSqlite } from '../../doctor/check.js';
import { describeMs } from '../../doctor/checks/words.js';
import { ok, warning } from '../../doctor/report.js';

/** Is the file rewritten without erased rows? */
export const ERASED_ROWS = onSqlite('erased-rows', ['schema-version'], async ({ rows }, { limits, now }) => {
  const [mark] = await rows<{ since: number | null }>('select since from ph_rewrite');
  const lateMs = now() - (mark?.since ?? now());
  if (lateMs <= limits.erasedMs) return ok('No erasure waits for long until the file is rewritten.');
  return warning(
    `Unused bytes of the file may still hold rows that were erased ${describeMs(lateMs)} ago.`,
    'Start a worker: it rewrites the file. If one runs, its log says what keeps it from doing so.',
  );
});
