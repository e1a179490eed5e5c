import type { KeyId, Repositories } from '@partner-hiring/core/ports';
import type { ExpressionBuilder } from 'kysely';
import { defineInsert, writeEach } from '../../batch.js';
import type { Prepare } from '../../preparation.js';
import type { Schema } from '../../schema.js';
import { define, type Param } from '../../statement.js';
import { READINESS } from './table.js';

export const prepareReadiness: Prepare<Repositories['readiness']> = (preparation) => {
  const add = defineInsert(preparation, {
    table: READINESS,
    keyColumns: 2,
    finish: (insert) =>
      insert.onConflict((conflict) =>
        conflict.columns(['key_id', 'name']).doUpdateSet((eb) => ({
          first_at: earlier(eb as never, 'first_at'),
          first_id: earlier(eb as never, 'first_id'),
          last_at: later(eb as never, 'last_at'),
          last_id: later(eb as never, 'last_id'),
          fault: later(eb as never, 'fault'),
        })),
      ),
  });
  const list = define((param: Param<{ keyId: KeyId }>) =>
    preparation.queries
      .selectFrom('ph_readiness')
      .selectAll()
      .where('key_id', '=', param('keyId'))
      .orderBy('name'),
  );

  return {
    add: writeEach(add, READINESS.toRow, 'writeWithAsyncCommit'),
    list: (session, keyId) => session.read((run) => run.list(list, { keyId }, READINESS.toValue)),
  };
};

type Conflict = ExpressionBuilder<Schema & { excluded: Schema['ph_readiness'] }, 'ph_readiness' | 'excluded'>;

/** The rule of `joinMarks`. */
function earlier<Column extends 'first_at' | 'first_id'>(eb: Conflict, column: Column) {
  return eb
    .case()
    .when('excluded.first_at', '<', eb.ref('ph_readiness.first_at'))
    .then(eb.ref(`excluded.${column}`))
    .else(eb.ref(`ph_readiness.${column}`))
    .end();
}

/** The rule of `joinMarks`. */
function later<Column extends 'last_at' | 'last_id' | 'fault'>(eb: Conflict, column: Column) {
  return eb
    .case()
    .when('excluded.last_at', '>=', eb.ref('ph_readiness.last_at'))
    .then(eb.ref(`excluded.${column}`))
    .else(eb.ref(`ph_readiness.${column}`))
    .end();
}
