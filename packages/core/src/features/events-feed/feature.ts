import { apiPath } from '../../http/router.js';
import type { Feature } from '../feature.js';
import { createGetEvents } from './routes.js';

export const eventsFeedFeature: Feature = {
  name: 'events-feed',
  settings: ({ selfService }) => ({ recordsEvents: selfService?.events ?? false }),
  make: ({ options: { selfService: { events: isOn } = {} } }) => ({
    sweeps:
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
    paths: ({ partner, basePath, workOnLongPage }) =>
      isOn === true ? [apiPath(basePath, '/events', { GET: createGetEvents(partner, workOnLongPage) })] : [],
  }),
};
