import { type FoundKey, type KeyView, LIMITED_REQUESTS } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SelectField, TextField } from '../../view/forms.js';
import { countText, Note, Time } from '../../view/parts.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { HOURS } from '../parts/rotation.js';

const KINDS = Object.entries(LIMITED_REQUESTS) as readonly (readonly [
  keyof typeof LIMITED_REQUESTS,
  string,
])[];
const HOUR_MS = 3_600_000;

const perCompany = (kind: string, text: string) => (kind === 'submit_application' ? text : '');

/** Writes a usual limit. Undefined where only the server knows it, as in the console of the command line. */
export function usualText(kind: string, limit: number): string | undefined {
  if (limit >= Number.MAX_SAFE_INTEGER) return undefined;
  return `Usually ${countText(limit)} a minute${perCompany(kind, ' per company')}`;
}

const lower = defineAct<FoundKey>({
  find: findKeyOfPath,
  ask: ({ label, key: { loweredLimits: lowered }, usualLimits }) => ({
    title: 'Lower the limits of this key?',
    text: 'From its next request on, the key gets 429 after fewer requests in a minute. An empty field leaves the usual limit; a number must be lower. They replace lower limits of before, and end on their own.',
    facts: [[LABELS.one.partnerKey, label]],
    confirm: 'Lower the limits',
    more: (
      <>
        <div class="fields">
          {KINDS.map(([kind, requests]) => (
            <TextField
              name={kind}
              type="number"
              label={`${requests}, in a minute${perCompany(kind, ' and company')}`}
              hint={usualText(kind, usualLimits[kind])}
              value={String(lowered?.perMinute[kind] ?? '')}
            />
          ))}
        </div>
        <div class="fields">
          <SelectField name="hours" label="For how long" options={HOURS} />
          <TextField
            name="until"
            type="datetime-local"
            label="Or until (UTC)"
            hint="At most 7 days from now. Empty: as long as chosen."
          />
        </div>
        <TextField
          name="why"
          label="Why, as the partner sees it in the portal"
          value={lowered?.reason ?? null}
          isRequired
        />
      </>
    ),
  }),
  run: async ({ key: { id } }, { form, gate }) => {
    const given = KINDS.filter(([kind]) => form.text(kind) !== null);
    const reason = form.text('why');
    if (given.length === 0 || reason === null) throw new RefusedAct('enter-limits');
    const perMinute = Object.fromEntries(given.map(([kind]) => [kind, Number(form.text(kind))]));
    const until = form.instant('until');
    if (until === null && form.text('until') !== null) throw new RefusedAct('until-unclear');
    const end = until === null ? { forMs: Number(form.text('hours')) * HOUR_MS } : { until };
    const { loweredLimits } = await gate.call('keys.lowerLimits', { id, perMinute, reason, ...end });
    return ['limits-lowered-until', loweredLimits?.until ?? 0];
  },
});

const lift = defineAct<KeyView>({
  find: findKeyOfPath,
  run: change('keys.liftLimits', ({ key: { id } }) => ({ id }), 'limits-lifted', 'limits-lifted-before'),
});

/** The acts on the limits of a key. */
export const limitsActs: Readonly<Record<string, RunAction>> = {
  '/keys/:key/lower-limits': lower,
  '/keys/:key/lift-limits': lift,
};

/** Says which limits of a key are lower, until when and why, with the buttons that change them. */
export function LimitsOfKey({ call, view }: { readonly call: ScreenCall; readonly view: KeyView }) {
  const { id, loweredLimits: lowered } = view.key;
  const limits = KINDS.filter(([kind]) => lowered?.perMinute[kind] !== undefined);
  return (
    <>
      {lowered === null ? null : (
        <Note tone="warn">
          {`Lower limits in a minute: ${limits.map(([kind, requests]) => `${requests} ${lowered.perMinute[kind]}`).join(', ')}. They end `}
          <Time at={lowered.until} isExact />
          {`. Reason: ${lowered.reason}`}
        </Note>
      )}
      {call.gate.may('keys:limit') ? (
        <div class="actions">
          <ActionButton action={call.at(`/keys/${id}/lower-limits`)} label="Lower the limits…" />
          {lowered === null ? null : (
            <ActionButton action={call.at(`/keys/${id}/lift-limits`)} label="Lift the lower limits" />
          )}
        </div>
      ) : null}
    </>
  );
}
