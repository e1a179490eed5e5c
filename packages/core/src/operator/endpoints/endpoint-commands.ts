import type { EndpointCommands } from '../endpoints.js';
import type { Runner } from '../scope.js';
import { pauseEndpoint, resume, rotateSigningSecret, setUrl } from './change-endpoint.js';
import { endpointHealth } from './endpoint-health.js';
import { viewEndpoint } from './endpoint-view.js';

/** Builds the commands about endpoints. */
export function endpointCommands(runner: Runner): EndpointCommands {
  const { run, read } = runner;
  return {
    setUrl: (target) => run((scope) => setUrl(scope, target)),
    rotateSecret: (rotation) => run((scope) => rotateSigningSecret(scope, rotation)),
    pause: ({ keyId }) => run((scope) => pauseEndpoint(scope, keyId)),
    resume: ({ keyId }) => run((scope) => resume(scope, keyId)),
    find: async ({ keyId }) => {
      const endpoint = await read.endpoints.find(keyId);
      return endpoint && viewEndpoint(endpoint);
    },
    health: ({ keyId }) => endpointHealth(runner, keyId),
    list: async () => (await read.endpoints.list()).map(viewEndpoint),
  };
}
