/** Moves partners between cells, one after the other, until it is killed. It ends when its parent does. */
import { movePostgresPartner } from '@partner-hiring/postgres';
import { Pool } from 'pg';

/** The partner to move, and its new cell. */
export interface MoverOrders {
  readonly connectionString: string;
  readonly schemas: readonly string[];
  readonly partnerIds: readonly `ptn_${string}`[];
}

process.on('disconnect', () => process.exit());

const { connectionString, schemas, partnerIds } = JSON.parse(process.argv[2] ?? '') as MoverOrders;
const pool = new Pool({ connectionString, max: 1 });
pool.on('error', () => {});

function oneOf<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value;
}

let moved = 0;
process.on('message', () => process.send?.(moved));
process.send?.('ready');
for (;;) {
  const { movedRows } = await movePostgresPartner({
    pool,
    schemas,
    partnerId: oneOf(partnerIds),
    to: oneOf(schemas),
  });
  if (movedRows > 0) moved += 1;
}
