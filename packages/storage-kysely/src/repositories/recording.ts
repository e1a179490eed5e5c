import type { FeedRepository, KeyId } from '@partner-hiring/core/ports';
import { sql } from 'kysely';
import { itemsWith, selectItems } from '../batch.js';
import type { Dialect, JsonRows } from '../dialect.js';
import type { Preparation, Prepare } from '../preparation.js';
import type { Run } from '../session.js';
import { define, type Param, WRITTEN } from '../statement.js';

type RecordingMethods = 'listRecording' | 'setRecording' | 'setFreeRecording';

/** Switches whether the logs of keys record every event. */
export const prepareRecording: Prepare<Pick<FeedRepository, RecordingMethods>> = (preparation) => {
  const { lockRows, lockFreeRows } = preparation;
  const listOn = defineList(preparation, true);
  const listOff = defineList(preparation, false);
  const turnOn = defineTurn(preparation, true, lockRows);
  const turnOff = defineTurn(preparation, false, lockRows);
  const turnFreeOn = defineTurn(preparation, true, lockFreeRows);
  const turnFreeOff = defineTurn(preparation, false, lockFreeRows);
  const turn = async (run: Run, statement: typeof turnOn, keyIds: readonly KeyId[]) => {
    const { rows } = await run.batch(statement, itemsWith('key_id', keyIds), {});
    return rows.length;
  };

  return {
    listRecording: (session, isOn, limit) =>
      session.read((run) => run.list(isOn ? listOn : listOff, { limit }, ({ key_id: keyId }) => keyId)),
    setRecording: (session, keyIds, isOn) =>
      session.write(async (run) => {
        await turn(run, isOn ? turnOn : turnOff, keyIds);
      }),
    setFreeRecording: (session, keyIds, isOn) =>
      session.write((run) => turn(run, isOn ? turnFreeOn : turnFreeOff, keyIds)),
  };
};

/** Reads the heads of all keys. A sweep does this too, to find old events. */
function defineList({ queries }: Preparation, isOn: boolean) {
  return define((param: Param<{ limit: number }>) =>
    queries
      .selectFrom('ph_feed_head as head')
      .innerJoin('ph_partner_key as key', 'key.id', 'head.key_id')
      .innerJoin('ph_partner as partner', 'partner.id', 'key.partner_id')
      .select('head.key_id')
      .where('head.recorded_after', isOn ? 'is not' : 'is', null)
      .where('partner.removed_at', 'is', null)
      .limit(param('limit')),
  );
}

function defineTurn(preparation: Preparation, isOn: boolean, lock: Dialect['lockRows']) {
  return define((param: Param<{ rows: JsonRows<{ key_id: KeyId }> }>) =>
    preparation.queries
      .with('locked', (db) =>
        db
          .selectFrom('ph_feed_head')
          .select(['key_id', 'at'])
          .where('key_id', 'in', selectItems(preparation, param('rows'), 'key_id'))
          .orderBy('key_id')
          .$call(lock),
      )
      .updateTable('ph_feed_head')
      .from('locked')
      .set((eb) => ({ recorded_after: isOn ? eb.ref('locked.at') : sql<null>`null` }))
      .whereRef('ph_feed_head.key_id', '=', 'locked.key_id')
      .where('ph_feed_head.recorded_after', isOn ? 'is' : 'is not', null)
      .returning(WRITTEN),
  );
}
