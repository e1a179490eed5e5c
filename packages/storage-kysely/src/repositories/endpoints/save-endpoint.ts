import type { EndpointRepository } from '@partner-hiring/core/ports';
import type { Prepare } from '../../preparation.js';
import { define, type Param } from '../../statement.js';
import { type EndpointRow, fromEndpoint } from './endpoint-rows.js';

/** What the host writes of an endpoint. A new one begins at the head of its key's feed. */
export const prepareSaveEndpoint: Prepare<Pick<EndpointRepository, 'save'>> = ({ queries }) => {
  const save = define((param: Param<EndpointRow>) =>
    queries
      .insertInto('ph_endpoint')
      .values((eb) => ({
        key_id: param('key_id'),
        url: param('url'),
        state: param('state'),
        paused_reason: param('paused_reason'),
        paused_at: param('paused_at'),
        consecutive_failures: param('consecutive_failures'),
        first_failure_at: param('first_failure_at'),
        last_success_at: param('last_success_at'),
        secrets: param('secrets'),
        created_at: param('created_at'),
        watermark: eb
          .selectFrom('ph_feed_head')
          .select('at')
          .where('key_id', '=', param('key_id'))
          .$asScalar()
          .$notNull(),
        lease_until: eb.lit(0),
        leased_at: eb.lit(0),
      }))
      .onConflict((conflict) =>
        conflict.column('key_id').doUpdateSet((eb) => ({
          url: eb.ref('excluded.url'),
          state: eb.ref('excluded.state'),
          paused_reason: eb.ref('excluded.paused_reason'),
          paused_at: eb.ref('excluded.paused_at'),
          consecutive_failures: eb.ref('excluded.consecutive_failures'),
          first_failure_at: eb.ref('excluded.first_failure_at'),
          last_success_at: eb.ref('excluded.last_success_at'),
          secrets: eb.ref('excluded.secrets'),
          created_at: eb.ref('excluded.created_at'),
        })),
      ),
  );

  return (session) => ({
    save: (endpoint) => session.write((run) => run.execute(save, fromEndpoint(endpoint))),
  });
};
