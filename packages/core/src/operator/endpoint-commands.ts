import { pauseEndpoint, resume, rotateSigningSecret, setUrl } from './change-endpoint.js';
import { viewEndpoint } from './endpoint-view.js';
import type { EndpointCommands } from './endpoints.js';
import type { Runner } from './scope.js';

/** Builds the commands about endpoints. */
export function endpointCommands({ run, read }: Runner): EndpointCommands {
  return {
    setUrl: (target) => run((scope) => setUrl(scope, target)),
    rotateSecret: (rotation) => run((scope) => rotateSigningSecret(scope, rotation)),
    pause: ({ keyId }) => run((scope) => pauseEndpoint(scope, keyId)),
    resume: ({ keyId }) => run((scope) => resume(scope, keyId)),
    find: async ({ keyId }) => {
      const endpoint = await read.endpoints.find(keyId);
      return endpoint && viewEndpoint(endpoint);
    },
    list: async () => (await read.endpoints.list()).map(viewEndpoint),
  };
}
