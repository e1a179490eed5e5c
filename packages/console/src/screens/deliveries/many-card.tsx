import type { KeyView } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { TextField } from '../../view/forms.js';
import { Section } from '../../view/parts.js';
import { KeyField } from '../parts/key-field.js';

/** Forms that send many deliveries of one key. */
export function ManyCard({
  call,
  keys,
  keyId,
}: {
  readonly call: ScreenCall;
  readonly keys: readonly KeyView[];
  /** The key of the filter. */
  readonly keyId: string | null;
}) {
  return (
    <Section title="Send many again">
      <div class="columns">
        <form method="post" action={call.at('/deliveries/redeliver-all')}>
          <p>Sends all dead letters of a key again, and retries now what waits for a retry.</p>
          <KeyField name="allKey" label="Partner key to redeliver" keys={keys} value={keyId} />
          <p class="buttons">
            <button type="submit" class="secondary">
              Count, then redeliver all…
            </button>
          </p>
        </form>
        <form method="post" action={call.at('/deliveries/redeliver-since')}>
          <p>
            Replays every event of a time, even delivered ones. The partner knows the repeated events by their
            ids.
          </p>
          <KeyField name="replayKey" label="Partner key to replay" keys={keys} value={keyId} />
          <TextField name="replaySince" type="datetime-local" label="Replay from (UTC)" isRequired />
          <TextField
            name="replayUntil"
            type="datetime-local"
            label="Replay before (UTC)"
            hint="Empty: until now."
          />
          <p class="buttons">
            <button type="submit" class="secondary">
              Count, then replay…
            </button>
          </p>
        </form>
      </div>
    </Section>
  );
}
