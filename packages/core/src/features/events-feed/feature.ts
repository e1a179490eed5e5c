import { apiPath } from '../../http/router.js';
import type { Feature } from '../feature.js';
import { createGetEvents } from './routes.js';

export const eventsFeedFeature: Feature = {
  name: 'events-feed',
  sweeps: ({ recordsEvents: isOn }) =>
    isOn === undefined
      ? []
      : [
          {
            kind: null,
            inSleep: true,
            rows: 'switches of event logs',
            // Makes the logs of all keys record every event, or stop.
            remove: async ({ feed }, _, limit) =>
              feed.setFreeRecording(await feed.listRecording(!isOn, limit), isOn),
          },
        ],
  settings: ({ selfService }) => ({ recordsEvents: selfService?.events ?? false }),
  make: ({ options: { selfService } }) => ({
    forWorker: { recordsEvents: selfService?.events },
    paths: ({ partner, basePath, workOnLongPage }) =>
      selfService?.events === true
        ? [apiPath(basePath, '/events', { GET: createGetEvents(partner, workOnLongPage) })]
        : [],
  }),
};
