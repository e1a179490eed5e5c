import { type KeyLimitKind, type KeyView, LIMITED_REQUESTS, type LoweredLimits } from '@partner-hiring/core';
import type { RunAction, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton, SelectField, TextField } from '../../view/forms.js';
import { Note, Time } from '../../view/parts.js';
import { change, defineAct, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';

const KINDS = Object.entries(LIMITED_REQUESTS) as readonly (readonly [KeyLimitKind, string])[];
const HOUR_MS = 3_600_000;
const WHY = 'why';
const HOURS = 'hours';

const lower = defineAct<KeyView>({
  find: findKeyOfPath,
  ask: ({ label, key: { loweredLimits } }) => ({
    title: 'Lower the limits of this key?',
    text: 'From its next request on, the key gets 429 after fewer requests in a minute. An empty field leaves the usual limit, and so does a number above it. They replace lower limits of before, and end on their own.',
    facts: [[LABELS.one.partnerKey, label]],
    confirm: 'Lower the limits',
    more: (
      <>
        <div class="fields">
          {KINDS.map(([kind, requests]) => (
            <TextField
              name={kind}
              type="number"
              label={`${requests}, in a minute${kind === 'submit_application' ? ' and company' : ''}`}
              value={String(loweredLimits?.perMinute[kind] ?? '')}
            />
          ))}
        </div>
        <SelectField
          name={HOURS}
          label="For how long"
          options={[
            ['1', '1 hour'],
            ['24', '24 hours'],
            ['168', '7 days'],
            ['720', '30 days'],
          ]}
          value="24"
        />
        <TextField
          name={WHY}
          label="Why, as the partner sees it in the portal"
          value={loweredLimits?.reason ?? null}
          isRequired
        />
      </>
    ),
  }),
  run: async ({ key: { id } }, { form, gate }) => {
    const given = KINDS.flatMap(([kind]) => {
      const limit = form.text(kind);
      return limit === null ? [] : [[kind, Number(limit)] as const];
    });
    const reason = form.text(WHY);
    if (given.length === 0 || reason === null) throw new RefusedAct('enter-limits');
    const forMs = Number(form.text(HOURS)) * HOUR_MS;
    const lowering = { id, perMinute: Object.fromEntries(given), reason, forMs };
    const { loweredLimits } = await gate.call('keys.lowerLimits', lowering);
    return ['limits-lowered-until', loweredLimits?.until ?? 0];
  },
});

const lift = defineAct<KeyView>({
  find: findKeyOfPath,
  ask: ({ label }) => ({
    title: 'Lift the lower limits of this key?',
    text: 'From its next request on, the usual limits apply.',
    facts: [[LABELS.one.partnerKey, label]],
    confirm: 'Lift them',
  }),
  run: change('keys.liftLimits', ({ key: { id } }) => ({ id }), 'limits-lifted', 'limits-lifted-before'),
});

/** The acts on the limits of a key. */
export const limitsActs: Readonly<Record<string, RunAction>> = {
  '/keys/:key/lower-limits': lower,
  '/keys/:key/lift-limits': lift,
};

/** Says which limits of a key are lower, until when and why. Null if none is. */
export function LoweredNote({ lowered }: { readonly lowered: LoweredLimits | null }) {
  if (lowered === null) return null;
  const limits = KINDS.flatMap(([kind, requests]) => {
    const limit = lowered.perMinute[kind];
    return limit === undefined ? [] : [`${requests} ${limit}`];
  });
  return (
    <Note tone="warn">
      {`Lower limits in a minute: ${limits.join(', ')}. They end `}
      <Time at={lowered.until} isExact />
      {`. Reason: ${lowered.reason}`}
    </Note>
  );
}

/** The buttons that lower and lift the limits. */
export function LimitsButtons({
  call,
  view: { key },
}: {
  readonly call: ScreenCall;
  readonly view: KeyView;
}) {
  if (!call.gate.may('keys:limit')) return null;
  return (
    <>
      <ActionButton action={call.at(`/keys/${key.id}/lower-limits`)} label="Lower the limits…" />
      {key.loweredLimits === null ? null : (
        <ActionButton action={call.at(`/keys/${key.id}/lift-limits`)} label="Lift the lower limits…" />
      )}
    </>
  );
}
